package config

// Broker configs about what the broker expects of an OAuth token.
func oauthTokenKeys() []key[Broker] {
	return []key[Broker]{
		inert("sasl.oauthbearer.jwks.endpoint.url", anyText(), noDefault,
			"Address of the keys that tokens are signed with."),
		inert("sasl.oauthbearer.jwks.endpoint.refresh.ms", anyLong(), "3600000",
			"Milliseconds after which those keys are read again."),
		inert("sasl.oauthbearer.jwks.endpoint.retry.backoff.ms", anyLong(), "100",
			"First pause in milliseconds after the keys could not be read."),
		inert("sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms", anyLong(), "10000",
			"Longest pause in milliseconds after the keys could not be read."),
		inert("sasl.oauthbearer.expected.audience", anyList(), "",
			"Audiences of which a token has to name one."),
		inert("sasl.oauthbearer.expected.issuer", anyText(), noDefault,
			"The issuer that a token has to name."),
		inert("sasl.oauthbearer.allow.unverified.audience", boolean(), "false",
			"Whether tokens of any audience are taken."),
		inert("sasl.oauthbearer.allow.unverified.issuer", boolean(), "false",
			"Whether tokens of any issuer are taken."),
		inert("sasl.oauthbearer.clock.skew.seconds", anyInteger(), "30",
			"Seconds by which the clocks of issuer and broker may differ."),
		inert("sasl.oauthbearer.scope.claim.name", anyText(), "scope",
			"The claim that has the scope."),
		inert("sasl.oauthbearer.sub.claim.name", anyText(), "sub",
			"The claim that has the user."),
		inert("sasl.oauthbearer.jwt.validator.class", className(), "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator",
			"Class that checks tokens."),
	}
}

// Broker configs about how the broker gets OAuth tokens of its own.
func oauthClientKeys() []key[Broker] {
	return []key[Broker]{
		inert("sasl.oauthbearer.token.endpoint.url", anyText(), noDefault,
			"Address at which the broker gets a token."),
		inert("sasl.oauthbearer.jwt.retriever.class", className(), "org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever",
			"Class that gets tokens."),
		inert("sasl.oauthbearer.scope", anyText(), noDefault,
			"The scope that the broker asks for."),
		inert("sasl.oauthbearer.client.credentials.client.id", anyText(), noDefault,
			"The broker's name with the issuer."),
		inert("sasl.oauthbearer.client.credentials.client.secret", password(), noDefault,
			"The broker's secret with the issuer."),
		inert("sasl.oauthbearer.assertion.algorithm", oneOfAnyCase("ES256", "RS256"), "RS256",
			"Algorithm that the broker's assertions are signed with."),
		inert("sasl.oauthbearer.assertion.claim.aud", anyText(), noDefault,
			"The audience in the broker's assertions."),
		inert("sasl.oauthbearer.assertion.claim.exp.seconds", integer(0, 86400), "300",
			"Seconds for which an assertion of the broker is valid."),
		inert("sasl.oauthbearer.assertion.claim.iss", anyText(), noDefault,
			"The issuer in the broker's assertions."),
		inert("sasl.oauthbearer.assertion.claim.jti.include", boolean(), "false",
			"Whether each assertion of the broker has an id of its own."),
		inert("sasl.oauthbearer.assertion.claim.nbf.seconds", integer(0, 3600), "60",
			"Seconds before now from which an assertion of the broker is valid."),
		inert("sasl.oauthbearer.assertion.claim.sub", anyText(), noDefault,
			"The subject in the broker's assertions."),
		inert("sasl.oauthbearer.assertion.file", anyText(), noDefault,
			"File with an assertion that is ready to use."),
		inert("sasl.oauthbearer.assertion.private.key.file", anyText(), noDefault,
			"File with the key that assertions are signed with."),
		inert("sasl.oauthbearer.assertion.private.key.passphrase", password(), noDefault,
			"Password of that key."),
		inert("sasl.oauthbearer.assertion.template.file", anyText(), noDefault,
			"File with further claims of the broker's assertions."),
	}
}
