import FeedCore
import Testing

@Suite struct EffectiveSettingTests {
    typealias Value = EffectiveSetting.Value
    typealias Source = EffectiveSetting.Source

    private static func all(
        _ arguments: [String] = [], _ variables: [String: String] = [:], _ file: String? = nil,
        keys: [SettingKey] = ConfigurationFileTests.keys
    ) throws -> [EffectiveSetting] {
        EffectiveSetting.all(
            arguments: ["feedserver", "serve"] + arguments, variables: variables,
            file: try file.map { try ConfigurationFileTests.parse($0) }, keys: keys)
    }

    struct Row: Sendable {
        var arguments: [String] = []
        var variables: [String: String] = [:]
        var file: String?
        var name: String
        var value: Value
        var source: Source
    }

    static let rows = [
        Row(name: "port", value: .number(8080), source: .standard),
        Row(file: #"{"port":1}"#, name: "port", value: .number(1), source: .file),
        Row(
            variables: ["FEEDSERVER_PORT": "2"], file: #"{"port":1}"#, name: "port", value: .number(2),
            source: .variable("FEEDSERVER_PORT")),
        Row(
            arguments: ["--port", "3"], variables: ["FEEDSERVER_PORT": "2"], file: #"{"port":1}"#, name: "port",
            value: .number(3), source: .option),
        Row(arguments: ["--port=4"], name: "port", value: .number(4), source: .option),
        Row(arguments: ["--port", "3", "--port", "5"], name: "port", value: .number(5), source: .option),
        // An empty variable counts as unset.
        Row(variables: ["FEEDSERVER_PORT": ""], file: #"{"port":1}"#, name: "port", value: .number(1), source: .file),
        Row(name: "demo", value: .flag(false), source: .standard),
        Row(arguments: ["--demo"], name: "demo", value: .flag(true), source: .option),
        Row(
            variables: ["FEEDSERVER_DEMO": "false"], file: #"{"demo":true}"#, name: "demo", value: .flag(false),
            source: .variable("FEEDSERVER_DEMO")),
        Row(name: "baseUrl", value: .unset, source: .standard),
        Row(
            arguments: ["--trusted-proxy", "unix", "--trusted-proxy=::1"], name: "trustedProxy",
            value: .list(["unix", "::1"]), source: .option),
        Row(
            variables: ["FEEDSERVER_TRUSTED_PROXY": "unix, ::1"], name: "trustedProxy", value: .list(["unix", "::1"]),
            source: .variable("FEEDSERVER_TRUSTED_PROXY")),
        Row(file: #"{"trustedProxy":"unix"}"#, name: "trustedProxy", value: .list(["unix"]), source: .file),
        Row(name: "title", value: .text("feedserver"), source: .standard),
        Row(file: #"{"title":"x"}"#, name: "title", value: .text("x"), source: .file),
        Row(file: #"{"contact":{"account":"ada"}}"#, name: "contact.account", value: .text("ada"), source: .file),
        Row(file: #"{"contact":{"account":"ada"}}"#, name: "contact.email", value: .unset, source: .standard),
        Row(name: "limits.changeLogDays", value: .number(30), source: .standard),
        Row(
            file: #"{"limits":{"changeLogDays":7}}"#, name: "limits.changeLogDays", value: .number(7), source: .file),
    ]

    @Test(arguments: rows)
    func optionPrecedesEnvironmentPrecedesFile(row: Row) throws {
        let all = try Self.all(row.arguments, row.variables, row.file)
        let found = all.filter { $0.name == row.name }
        #expect(found.count == 1)
        #expect(found.first?.value == row.value && found.first?.source == row.source, "\(found)")
    }

    /// The settings from which others follow, and the registration that results, with its source.
    @Test(
        arguments: [
            ([], [:], "closed", Source.standard), (["--open-registration"], [:], "open", .option),
            ([], ["FEEDSERVER_OPEN_REGISTRATION": "true"], "open", .variable("FEEDSERVER_OPEN_REGISTRATION")),
            (["--registration", "invite"], [:], "invite", .option),
            // An option takes precedence over the environment.
            (["--registration", "closed"], ["FEEDSERVER_OPEN_REGISTRATION": "true"], "closed", .option),
        ] as [([String], [String: String], String, Source)])
    func settingsThatFollowFromOthersAreCompleted(
        arguments: [String], variables: [String: String], registration: String, source: Source
    ) throws {
        let keys = [
            SettingKey("registration", default: "closed"), SettingKey("open-registration", .flag),
            SettingKey("access-log"),
        ]
        let settings = try Self.all(arguments, variables, keys: keys)
        let completed = EffectiveSetting.completed(settings, registration: registration, accessLog: "text")
        let found = completed.filter { ["registration", "accessLog"].contains($0.name) }
        #expect(found.map(\.value) == [.text(registration), .text("text")])
        #expect(found.map(\.source) == [source, .standard])
        let given = try EffectiveSetting.completed(
            Self.all(["--access-log", "off"], keys: keys), registration: "closed", accessLog: "off")
        #expect(given.first { $0.name == "accessLog" }?.source == .option)
    }

    /// The line is that of the last setting in the file; what is set elsewhere keeps its name.
    @Test func conflictsNameLineAndKeys() throws {
        let file = try ConfigurationFileTests.parse("{\"port\": 1,\n\"baseUrl\": \"x\"\n}")
        let keys = ConfigurationFileTests.keys.filter { ["port", "base-url", "database"].contains($0.option) }
        func conflict(_ arguments: [String]) -> String? {
            let settings = EffectiveSetting.all(
                arguments: arguments, variables: [:], file: file, keys: ConfigurationFileTests.keys)
            return file.conflict("--base-url, --port and --database differ", between: keys, in: settings)?.message
        }
        #expect(conflict([]) == "feed.json: line 2: baseUrl, port and database differ")
        #expect(conflict(["--base-url", "y"]) == "feed.json: line 1: --base-url, port and database differ")
        #expect(conflict(["--database", "z"]) == "feed.json: line 2: baseUrl, port and --database differ")
        #expect(conflict(["--base-url", "y", "--port", "2"]) == nil)
    }

    @Test func variablesThatSetNothingAreFound() {
        let variables = [
            "FEEDSERVER_BASEURL": "x", "FEEDSERVER_TRUSTED_PROXIES": "x", "FEEDSERVER_COLOUR": "x",
            "FEEDSERVER_BASE_URL": "x", "FEEDSERVER_CONFIG": "x", "FEEDSERVER_PROT": "", "FEEDCLIENT_PROT": "x",
        ]
        let found = UnknownVariable.all(in: variables, keys: ConfigurationFileTests.keys)
        #expect(found.map(\.name) == ["FEEDSERVER_BASEURL", "FEEDSERVER_COLOUR", "FEEDSERVER_TRUSTED_PROXIES"])
        #expect(found.map(\.suggestion) == ["FEEDSERVER_BASE_URL", nil, "FEEDSERVER_TRUSTED_PROXY"])
        #expect(found.first?.hint == "Did you mean FEEDSERVER_BASE_URL?")
    }

    @Test func namesFollowTheOptions() {
        let keys = ["port", "base-url", "allow-anonymous-uploads"].map { SettingKey($0) }
        #expect(keys.map(\.name) == ["port", "baseUrl", "allowAnonymousUploads"])
        #expect(keys.map(\.variable).last == "FEEDSERVER_ALLOW_ANONYMOUS_UPLOADS")
    }

    @Test(arguments: [
        ("postgresql://ada@db/feed", "postgresql://ada@db/feed"), ("./feed-data", "./feed-data"), ("", ""),
        ("postgresql://ada:hunter2@db/feed", "postgresql://ada:***@db/feed"),
        ("postgresql://ada:a@b:c@db:5432", "postgresql://ada:***@db:5432"),
        ("postgresql://db/feed?password=hunter2&sslmode=require", "postgresql://db/feed?password=***&sslmode=require"),
        ("postgresql://db?a=1&ssl%70assword=x", "postgresql://db?a=1&ssl%70assword=***"),
        ("https://feed.example:8443", "https://feed.example:8443"),
        ("https://a:b@x?token=y", "https://a:***@x?token=***"),
    ])
    func passwordsInAddressesAreMasked(value: String, shown: String) throws {
        let keys = [SettingKey("database"), SettingKey("trusted-proxy", .list(SettingKey.notEmpty))]
        let all = try Self.all(["--database", value, "--trusted-proxy", value], keys: keys)
        let masked = Dictionary(all.map { ($0.name, $0.masked) }) { first, _ in first }
        #expect(masked["database"]?.value == .text(shown) && masked["database"]?.source == .option)
        #expect(masked["trustedProxy"]?.value == .list(value.isEmpty ? [] : [shown]))
        #expect(masked["limits.changeLogDays"]?.value == .number(30))
    }

    @Test func changeIsAppliedOrNeedsARestart() throws {
        let old = try Self.all([], [:], #"{"title":"a","port":1}"#)
        let new = try Self.all([], [:], #"{"title":"b","port":2,"rateLimit":7,"limits":{"cacheBytes":2000000}}"#)
        let change = SettingsChange(from: old, to: new)
        #expect(change.applied == ["rateLimit", "title"] && change.needRestart == ["port", "limits.cacheBytes"])
        #expect(
            change.summary == "reloaded the settings: changed rateLimit, title; "
                + "restart the server to change port, limits.cacheBytes")
        // Each reload repeats this until the restart; a reverted change needs no restart.
        #expect(SettingsChange(from: change.inForce, to: new).needRestart == ["port", "limits.cacheBytes"])
        let back = SettingsChange(from: change.inForce, to: old)
        #expect(back.applied == ["rateLimit", "title"] && back.needRestart.isEmpty)
        #expect(SettingsChange(from: old, to: old).summary == "reloaded the settings: nothing has changed")
    }
}
