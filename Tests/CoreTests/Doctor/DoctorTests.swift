import FeedCore
import Testing

/// Every check of `feedserver doctor`, with every outcome.
@Suite struct DoctorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let check: String
        /// `nil` if the check does not apply.
        let level: DoctorFinding.Level?
        /// A part of the message.
        let words: String
        let change: @Sendable (inout DoctorFacts) -> Void

        var testDescription: String { "\(check) \(level?.rawValue ?? "does not apply") \(words)" }

        init(
            _ check: String, _ level: DoctorFinding.Level?, _ words: String = "",
            _ change: @escaping @Sendable (inout DoctorFacts) -> Void = { _ in }
        ) {
            (self.check, self.level, self.words, self.change) = (check, level, words, change)
        }
    }

    private static let now: Int64 = 1_800_000_000_000

    /// A machine without any problem.
    private static var healthy: DoctorFacts {
        var facts = DoctorFacts()
        facts.path = "/var/lib/feed"
        facts.folder = .present(isOwn: true, isWritable: true, mode: 0o700)
        facts.owner = "feedserver"
        facts.freeBytes = 100 << 30
        facts.freeFiles = 1_000_000
        facts.now = now
        facts.openFiles = 65_536
        facts.database = .usable(database())
        return facts
    }

    /// With a certificate and its key.
    private static func encrypt(_ facts: inout DoctorFacts, keyMode: Int = 0o640, expires: Int64 = now + 1000) {
        (facts.certificate, facts.key) = (.present(mode: 0o644), .present(mode: keyMode))
        facts.certificatePair = .usable(expires: expires)
    }

    private static func database(
        isMigrationDue: Bool = false, damage: String? = nil, newest: Int64 = now - 1000, hasContact: Bool? = nil
    ) -> DatabaseFacts {
        DatabaseFacts(
            engine: "SQLite 3.40.1", isMigrationDue: isMigrationDue, damage: damage, newest: newest,
            hasContact: hasContact)
    }

    static let machine = [
        Row("folder", .ok, "is private"), Row("folder", .problem, "does not exist") { $0.folder = .missing },
        Row("folder", .problem, "is not a folder") { $0.folder = .notAFolder },
        Row("folder", .problem, "may not write") { $0.folder = .present(isOwn: true, isWritable: false, mode: 0o500) },
        Row("folder", .problem, "may not write") { $0.folder = .present(isOwn: false, isWritable: false, mode: 0o755) },
        Row("folder", .warning, "another user") { $0.folder = .present(isOwn: false, isWritable: true, mode: 0o700) },
        Row("folder", .warning, "may enter") { $0.folder = .present(isOwn: true, isWritable: true, mode: 0o755) },
        Row("owner", .ok, "feedserver may use everything"), Row("owner", nil) { $0.owner = nil },
        Row("owner", .problem, "feedserver, who may not use blobs/7b in it") {
            $0.unusable = UnusableEntries(example: "blobs/7b", count: 1)
        },
        Row("owner", .problem, "blobs/7b and 2 more in it") {
            $0.unusable = UnusableEntries(example: "blobs/7b", count: 3)
        },
        Row("disk", .ok, "100 GiB free"), Row("disk", .warning, "1023 MiB free") { $0.freeBytes = 1 << 30 - 1 },
        Row("disk", .problem, "63 MiB") { $0.freeBytes = 64 << 20 - 1 },
        Row("disk", .problem, "0 MiB") { $0.freeBytes = 0 }, Row("disk", nil) { $0.freeBytes = nil },
        Row("files on the disk", .ok, "1000000"), Row("files on the disk", nil) { $0.freeFiles = nil },
        Row("files on the disk", .warning, "9999") { $0.freeFiles = 9999 },
        Row("files on the disk", .problem, "0 more") { $0.freeFiles = 0 },
        Row("clock", .ok), Row("clock", .problem, "wrong") { $0.now = 0 },
        Row("clock", .problem, "wrong") { $0.now = 5_000_000_000_000 },
        Row("clock", .ok) { $0.database = .usable(database(newest: now + 10_000)) },
        Row("clock", .warning, "10 seconds behind") { $0.database = .usable(database(newest: now + 10_001)) },
        Row("clock", .problem, "3600 seconds behind") { $0.database = .usable(database(newest: now + 3_600_001)) },
        Row("open files", .ok), Row("open files", .warning, "4095") { $0.openFiles = 4095 },
        Row("open files", .problem, "256") { $0.openFiles = 256 },
    ]

    static let configuration = [
        Row("TLS", nil),
        Row("TLS", .problem, "--tls-cert does not exist") { ($0.certificate, $0.key) = (.missing, .missing) },
        Row("TLS", .problem, "--tls-key does not exist") {
            ($0.certificate, $0.key) = (.present(mode: 0o644), .missing)
        },
        Row("TLS", .problem, "may not read") { ($0.certificate, $0.key) = (.present(mode: 0o644), .unreadable) },
        Row("TLS", .warning, "every user") { encrypt(&$0, keyMode: 0o644) },
        Row("TLS", .ok, "expires at 2027-01-15T08:00:00.001Z") { encrypt(&$0, expires: now + 1) },
        Row("TLS", .problem, "expired at 2027-01-15T08:00:00.000Z") { encrypt(&$0, keyMode: 0o644, expires: now) },
        Row("TLS", .problem, "does not belong") {
            encrypt(&$0)
            $0.certificatePair = .unusable(FeedError(.malformed, "the key does not belong to the certificate"))
        },
        Row("TLS", .warning, "begins with http://") {
            encrypt(&$0)
            $0.baseURL = "http://feed.example"
        },
        Row("TLS", .ok) {
            encrypt(&$0)
            $0.baseURL = "https://feed.example"
        },
        Row("proxy", .ok, "this machine only"),
        Row("proxy", .warning, "trusts no proxy") { $0.baseURL = "https://feed.example" },
        Row("proxy", .warning, "trusts no proxy") { $0.baseURL = "HTTPS://feed.example" },
        Row("proxy", .ok) { ($0.baseURL, $0.hasTrustedProxies) = ("https://feed.example", true) },
        Row("proxy", .ok) {
            ($0.baseURL, $0.certificate, $0.key) = ("https://feed.example", .present(mode: 0), .present(mode: 0))
        },
        Row("proxy", .warning, "0.0.0.0 without TLS") { ($0.host, $0.listensOnLoopback) = ("0.0.0.0", false) },
        Row("address", nil),
        Row("address", .ok, "can listen on http://[::1]:80") { $0.address = .free("http://[::1]:80") },
        Row("address", .ok, "server of this folder listens on http://a:1") { $0.address = .served("http://a:1") },
        Row("address", .problem, "is in use") {
            $0.address = .unusable(
                FeedError(.conflict, "http://127.0.0.1:8080 is in use", hint: "Choose another port."))
        },
        Row("address", .warning, "no permission") {
            $0.address = .unusable(FeedError(.forbidden, "no permission to listen on http://127.0.0.1:80"))
        },
        Row("environment", nil),
        Row(
            "environment", .warning,
            "no setting is named FEEDSERVER_PORTS (did you mean FEEDSERVER_PORT?), FEEDSERVER_UNLIKE"
        ) {
            let variables = ["FEEDSERVER_UNLIKE": "1", "FEEDSERVER_PORTS": "1", "FEEDSERVER_PORT": "1"]
            $0.unknownVariables = UnknownVariable.all(in: variables, keys: [SettingKey("port")])
        },
        Row("images", .ok, "all formats"),
        Row("images", .warning, "PNG (libpng16-16), WebP (libwebp7)") {
            $0.missingImageFormats = ["PNG (libpng16-16)", "WebP (libwebp7)"]
        },
        Row("libpq", .ok), Row("libpq", .ok, "only --database") { $0.hasLibPQ = false },
        Row("libpq", .problem, "needs it") { ($0.hasLibPQ, $0.usesPostgres) = (false, true) },
        Row("database", .ok, "SQLite 3.40.1"),
        Row("database", .warning, "does not exist yet") { $0.database = .missing },
        Row("database", .problem, "cannot read") {
            $0.database = .unusable(FeedError(.storage, "cannot read it", hint: "Run as its owner."))
        },
        Row("database", .problem, "page 7") { $0.database = .usable(database(damage: "page 7")) },
        Row("database", .warning, "older version") { $0.database = .usable(database(isMigrationDue: true)) },
        Row("contact", nil), Row("contact", nil) { $0.contact = "ada" },
        Row("contact", .ok, "ada") { ($0.contact, $0.database) = ("ada", .usable(database(hasContact: true))) },
        Row("contact", .warning, "no account ada") {
            ($0.contact, $0.database) = ("ada", .usable(database(hasContact: false)))
        },
        Row("server", nil), Row("server", .ok, "process 42") { $0.server = 42 },
    ]

    @Test(arguments: machine + configuration) func checkHasTheExpectedOutcome(row: Row) throws {
        var facts = Self.healthy
        row.change(&facts)
        let check = try #require(DoctorCheck.all.first { $0.name == row.check })
        let finding = check.run(facts)
        #expect(finding?.level == row.level, "\(finding.map { $0.message } ?? "")")
        #expect(finding?.message.contains(row.words) != false, "\(finding?.message ?? "")")
        // Every problem has a remedy.
        if let finding { #expect((finding.remedy == nil) == (finding.level == .ok)) }
    }

    @Test func healthyMachineHasNoProblem() {
        let findings = DoctorCheck.all.compactMap { $0.run(Self.healthy) }
        #expect(findings.count == 10 && findings.allSatisfy { $0.level == .ok }, "\(findings)")
    }

    @Test func everyCheckIsInTheTable() {
        #expect(Set(DoctorCheck.all.map(\.name)) == Set((Self.machine + Self.configuration).map(\.check)))
    }
}
