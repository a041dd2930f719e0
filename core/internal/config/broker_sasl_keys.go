package config

import "math"

// Broker configs about SASL.
func saslKeys() []key[Broker] {
	return []key[Broker]{
		inert("principal.builder.class", className(), "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder",
			"Class that makes a user of what a connection proved."),
		inert("sasl.enabled.mechanisms", anyList(), "GSSAPI",
			"SASL mechanisms that clients may use."),
		inert("sasl.mechanism.inter.broker.protocol", anyText(), "GSSAPI",
			"SASL mechanism that brokers use among themselves."),
		inert("sasl.mechanism.controller.protocol", anyText(), "GSSAPI",
			"SASL mechanism that brokers use with controllers."),
		inert("sasl.jaas.config", password(), noDefault,
			"Login for SASL in the form of a JAAS file."),
		inert("sasl.client.callback.handler.class", className(), noDefault,
			"Class that answers what the client side of SASL asks."),
		inert("sasl.server.callback.handler.class", className(), noDefault,
			"Class that answers what the server side of SASL asks."),
		inert("sasl.login.callback.handler.class", className(), noDefault,
			"Class that answers what a login asks."),
		inert("sasl.login.class", className(), noDefault,
			"Class that logs in."),
		inert("sasl.server.max.receive.size", anyInteger(), "524288",
			"Bytes that a client may send before it has logged in."),
		inert("sasl.kerberos.kinit.cmd", anyText(), "/usr/bin/kinit",
			"The kinit command."),
		inert("sasl.kerberos.min.time.before.relogin", anyLong(), "60000",
			"Milliseconds between two refreshes of a Kerberos ticket."),
		inert("sasl.kerberos.principal.to.local.rules", anyList(), "DEFAULT",
			"Rules that make a user name of a Kerberos principal."),
		inert("sasl.kerberos.service.name", anyText(), noDefault,
			"The Kerberos name of the brokers."),
		inert("sasl.kerberos.ticket.renew.jitter", fraction(-math.MaxFloat64, math.MaxFloat64), "0.05",
			"Random part of the time until a ticket is refreshed."),
		inert("sasl.kerberos.ticket.renew.window.factor", fraction(-math.MaxFloat64, math.MaxFloat64), "0.8",
			"Part of a ticket's life after which it is refreshed."),
	}
}

// Broker configs about a login that is refreshed, and about delegation tokens.
func loginKeys() []key[Broker] {
	return []key[Broker]{
		inert("sasl.login.connect.timeout.ms", anyInteger(), noDefault,
			"Milliseconds that a connection to the login provider may take."),
		inert("sasl.login.read.timeout.ms", anyInteger(), noDefault,
			"Milliseconds that an answer of the login provider may take."),
		inert("sasl.login.refresh.buffer.seconds", short(math.MinInt16, math.MaxInt16), "300",
			"Seconds before a token's end by which it has to be refreshed."),
		inert("sasl.login.refresh.min.period.seconds", short(math.MinInt16, math.MaxInt16), "60",
			"Seconds between two refreshes of a token."),
		inert("sasl.login.refresh.window.factor", fraction(-math.MaxFloat64, math.MaxFloat64), "0.8",
			"Part of a token's life after which it is refreshed."),
		inert("sasl.login.refresh.window.jitter", fraction(-math.MaxFloat64, math.MaxFloat64), "0.05",
			"Random part of the time until a token is refreshed."),
		inert("sasl.login.retry.backoff.ms", anyLong(), "100",
			"First pause in milliseconds after a failure of the login provider."),
		inert("sasl.login.retry.backoff.max.ms", anyLong(), "10000",
			"Longest pause in milliseconds after failures of the login provider."),
		inert("delegation.token.secret.key", password(), noDefault,
			"Secret that delegation tokens are signed with."),
		inert("delegation.token.expiry.time.ms", long(1, math.MaxInt64), "86400000",
			"Milliseconds after which a delegation token has to be renewed."),
		inert("delegation.token.max.lifetime.ms", long(1, math.MaxInt64), "604800000",
			"Milliseconds for which a delegation token can be renewed."),
		inert("delegation.token.expiry.check.interval.ms", long(1, math.MaxInt64), "3600000",
			"Milliseconds between two looks for expired delegation tokens."),
	}
}
