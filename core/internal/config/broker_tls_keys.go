package config

// Broker configs about TLS.
func tlsKeys() []key[Broker] {
	return []key[Broker]{
		inert("ssl.protocol", anyText(), "TLSv1.3",
			"The TLS version that connections begin with."),
		inert("ssl.enabled.protocols", anyList(), "TLSv1.2,TLSv1.3",
			"TLS versions that are allowed."),
		inert("ssl.cipher.suites", anyList(), "",
			"Cipher suites that are allowed; empty for the usual ones."),
		inert("ssl.client.auth", oneOf("required", "requested", "none"), "none",
			"Whether clients have to show a certificate."),
		inert("ssl.endpoint.identification.algorithm", anyText(), "https",
			"How the name of a server is checked against its certificate; empty for not at all."),
		inert("ssl.principal.mapping.rules", anyText(), "DEFAULT",
			"Rules that make a user name of the name in a certificate."),
		inert("ssl.allow.dn.changes", boolean(), "false",
			"Whether a new certificate may be of another distinguished name."),
		inert("ssl.allow.san.changes", boolean(), "false",
			"Whether a new certificate may leave out alternative names of the one before."),
		inert("ssl.provider", anyText(), noDefault,
			"The security provider of TLS connections."),
		inert("ssl.engine.factory.class", className(), noDefault,
			"Class that makes TLS engines."),
		inert("ssl.secure.random.implementation", anyText(), noDefault,
			"Source of random numbers for TLS."),
		inert("ssl.keymanager.algorithm", anyText(), "SunX509",
			"Algorithm of the key manager."),
		inert("ssl.trustmanager.algorithm", anyText(), "PKIX",
			"Algorithm of the trust manager."),
		inert("security.providers", anyText(), noDefault,
			"Classes that bring further security algorithms."),
	}
}

// Broker configs about the broker's certificate and those it trusts.
func certificateKeys() []key[Broker] {
	return []key[Broker]{
		inert("ssl.keystore.type", anyText(), "JKS",
			"Form of the key store: JKS, PKCS12 or PEM."),
		inert("ssl.keystore.location", anyText(), noDefault,
			"File with the broker's certificate and key."),
		inert("ssl.keystore.password", password(), noDefault,
			"Password of the key store."),
		inert("ssl.keystore.certificate.chain", password(), noDefault,
			"The broker's certificates in PEM form."),
		inert("ssl.keystore.key", password(), noDefault,
			"The broker's private key in PEM form."),
		inert("ssl.key.password", password(), noDefault,
			"Password of the private key."),
		inert("ssl.truststore.type", anyText(), "JKS",
			"Form of the trust store: JKS, PKCS12 or PEM."),
		inert("ssl.truststore.location", anyText(), noDefault,
			"File with the certificates that are trusted."),
		inert("ssl.truststore.password", password(), noDefault,
			"Password of the trust store."),
		inert("ssl.truststore.certificates", password(), noDefault,
			"The certificates that are trusted, in PEM form."),
	}
}
