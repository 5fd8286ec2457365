extension DoctorCheck {
    @Sendable static func tls(_ facts: DoctorFacts) -> DoctorFinding? {
        guard let certificate = facts.certificate, let key = facts.key else { return nil }
        switch (certificate, key) {
        case (.missing, _): return .problem("the file of --tls-cert does not exist", "Check its path.")
        case (_, .missing): return .problem("the file of --tls-key does not exist", "Check its path.")
        case (.unreadable, _), (_, .unreadable):
            return .problem(
                "this user may not read the files of --tls-cert and --tls-key", "Change their group or their mode.")
        case (.present, .present(let mode)):
            guard mode & 0o007 == 0 else {
                return .warning("every user of this machine may read the key", "Run chmod o= on the file of --tls-key.")
            }
            return .ok("certificate and key are readable")
        }
    }

    @Sendable static func proxy(_ facts: DoctorFacts) -> DoctorFinding? {
        let hasTLS = facts.certificate != nil
        let isSecure = facts.baseURL?.lowercased().hasPrefix("https:") ?? false
        if facts.hasTrustedProxies { return .ok("the headers of trusted proxies are read") }
        if isSecure, !hasTLS {
            return .warning(
                "--base-url is https, but the server has no TLS and trusts no proxy: all visitors share the proxy's limits",
                "Name it with --trusted-proxy.")
        }
        if !facts.listensOnLoopback, !hasTLS {
            return .warning(
                "the server listens on \(facts.host) without TLS: passwords and tokens can be read on the way",
                "Use --tls-cert and --tls-key, or put a reverse proxy in front of it, as Docs/operating.md shows.")
        }
        return .ok(hasTLS ? "none needed" : "none; the server listens on this machine only")
    }
}
