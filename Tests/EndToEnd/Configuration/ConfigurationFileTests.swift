import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import feedserver

/// `--config`, `FEEDSERVER_CONFIG` and `--show-config`.
@Suite(.hangLimit)
struct ConfigurationFileTests {
    /// A line of `--show-config`.
    private struct Line: Decodable {
        var key: String
        var value: RawJSON
        var source: String
    }

    /// Any JSON value, as text.
    private struct RawJSON: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                text = "null"
            } else if let flag = try? container.decode(Bool.self) {
                text = "\(flag)"
            } else if let number = try? container.decode(Int.self) {
                text = "\(number)"
            } else if let texts = try? container.decode([String].self) {
                text = texts.joined(separator: ",")
            } else {
                text = try container.decode(String.self)
            }
        }
    }

    private static func serve(
        _ arguments: [String], environment: [String: String] = [:], folder: String? = nil
    ) async throws -> Finished {
        try await Tool.run(Programs.feedserver, ["serve"] + arguments, environment: environment, folder: folder)
    }

    private static func show(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> [String: Line] {
        let done = try await serve(["--show-config"] + arguments, environment: environment)
        #expect(done.code == 0, "\(done.error)")
        let lines = try done.text.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        return Dictionary(uniqueKeysWithValues: lines.map { ($0.key, $0) })
    }

    @Test func effectiveSettingsAndTheirSourcesAreShown() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "feed.json",
            #"""
            {"port": 1, "rateLimit": 7, "baseUrl": "https://file.example", "title": "Hafen", "logFormat": "json",
             "maxFileSize": "512MiB", "trustedProxy": ["10.0.0.0/8", "unix"], "limits": {"profileFields": 6}}
            """#)
        let shown = try await Self.show(
            ["--config", file, "--port", "0", "--data", folder.path + "/data"],
            environment: ["FEEDSERVER_BASE_URL": "https://environment.example", "FEEDSERVER_PORT": "2"])
        let expected = [
            "config": (file, "flag"), "port": ("0", "flag"), "data": (folder.path + "/data", "flag"),
            "baseUrl": ("https://environment.example", "FEEDSERVER_BASE_URL"), "rateLimit": ("7", "file"),
            "title": ("Hafen", "file"), "logFormat": ("json", "file"), "maxFileSize": ("512MiB", "file"),
            "trustedProxy": ("10.0.0.0/8,unix", "file"), "limits.profileFields": ("6", "file"),
            "limits.changeLogDays": ("30", "default"), "demo": ("false", "default"), "fileQuota": ("null", "default"),
            "languages": ("en", "default"), "registration": ("closed", "default"), "accessLog": ("json", "default"),
        ]
        for (key, (value, source)) in expected {
            #expect(shown[key]?.value.text == value && shown[key]?.source == source, "\(key)")
        }
        let open = try await Self.show(["--open-registration", "--log-level", "error"])
        #expect(open["registration"]?.value.text == "open" && open["registration"]?.source == "flag")
        #expect(open["accessLog"]?.value.text == "off" && open["accessLog"]?.source == "default")
        // Nothing was started.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["feed.json"])
    }

    @Test func environmentNamesTheFileForAllCommands() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let file = try folder.file("feed.json", #"{"data": "\#(data)", "title": "Hafen"}"#)
        let environment = ["FEEDSERVER_CONFIG": file]
        let added = try await Tool.run(
            Programs.feedserver, ["account", "add", "ada", "--password-stdin"], input: Data("secretsecret\n".utf8),
            environment: environment)
        #expect(added.code == 0, "\(added.error)")
        let listed = try await Tool.run(Programs.feedserver, ["account", "list", "--data", data])
        #expect(listed.text.contains("ada"), "\(listed.error)")
        let configured = try await Tool.run(Programs.feedserver, ["account", "list", "--config", file])
        #expect(configured.code == 0 && configured.text == listed.text, "\(configured.error)")
        let shown = try await Self.show([], environment: environment)
        #expect(shown["config"]?.source == "FEEDSERVER_CONFIG" && shown["title"]?.value.text == "Hafen")
        #expect(shown["data"]?.value.text == data && shown["data"]?.source == "file")
        // The option precedes the variable.
        let other = try folder.file("other.json", #"{"title": "Other"}"#)
        let second = try await Self.show(["--config", other], environment: environment)
        #expect(second["title"]?.value.text == "Other" && second["data"]?.source == "default")
        let broken = try await Tool.run(
            Programs.feedserver, ["account", "list"], environment: ["FEEDSERVER_CONFIG": folder.path + "/none.json"])
        #expect(broken.code == 1 && broken.error.hasPrefix("error: cannot read the configuration file"))
    }

    @Test func misspeltVariablesAreNamed() async throws {
        let environment = ["FEEDSERVER_REGISTRATON": "open"]
        let shown = try await Self.serve(["--show-config"], environment: environment)
        #expect(shown.code == 0, "\(shown.error)")
        let note = "note: no setting is named FEEDSERVER_REGISTRATON. Did you mean FEEDSERVER_REGISTRATION?\n"
        #expect(shown.error == note, "\(shown.error)")
        let server = try await ServerProcess.start(environment: environment)
        try await Wait.until("the variable is logged") {
            server.log.contains("hint=\"Did you mean FEEDSERVER_REGISTRATION?\" name=FEEDSERVER_REGISTRATON")
        }
        #expect(try await server.stop() == 0)
    }

    @Test func fileIsUsed() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "feed.json",
            #"{"baseUrl": "https://feed.example/", "logFormat": "json", "title": "Hafen", "contact": {"account": "ada"}}"#
        )
        let server = try await ServerProcess.start(["--config", file])
        try await server.addAccount("ada")
        let response = try await RawHTTP.send(port: server.port, "GET", "/api/v2/instance")
        for part in [#""domain":"feed.example""#, #""title":"Hafen""#, #""acct":"ada""#] {
            #expect(response.text.contains(part), "\(part)")
        }
        // The last line may not be complete yet.
        func found() -> Substring? {
            server.log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .first { $0.contains("instance") }
        }
        try await Wait.until("the request is logged") { found() != nil }
        let line = try #require(found())
        #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
        #expect(try await server.stop() == 0)
    }

    /// Every key refuses values of other types with a message that names the file, the line and the key.
    /// ``faultIsOneClearLine(content:message:)`` tests how the program prints such messages.
    @Test func everyKeyRefusesWrongTypes() async throws {
        let keys = try await Self.show([]).keys.filter { $0 != "config" }.sorted()
        #expect(keys.count > 35)
        for key in keys {
            let parts = key.split(separator: ".").map(String.init)
            for value in ["null", "{\"x\": 1}", "[[]]"] {
                let object = parts.reversed().reduce(value) { "{\n\"\($1)\": \($0)}" }
                let error = #expect(throws: FeedError.self, "\(key) \(value)") {
                    try ConfigurationFile(Array(object.utf8), path: "feed.json", keys: SettingKey.all)
                }
                let start = "feed.json: line \(parts.count + 1): \(key): must be "
                let message = error?.message ?? ""
                #expect(message.hasPrefix(start) && !message.contains("\n"), "\(value): \(message)")
                #expect(error?.hint == nil, "\(key) \(value)")
            }
        }
    }

    private struct Help: Decodable {
        struct Command: Decodable {
            var commandName: String
            var subcommands: [Command]?
            var arguments: [Argument]?
        }
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }
            var preferredName: Name?
        }
        var command: Command
    }

    /// An option that is missing from `SettingKey.all` could not be set by the file.
    @Test func everyOptionIsASetting() async throws {
        let dump = try await Tool.run(Programs.feedserver, ["--experimental-dump-help"])
        let help = try JSONDecoder().decode(Help.self, from: dump.output)
        let serve = try #require(help.command.subcommands?.first { $0.commandName == "serve" })
        let options = (serve.arguments ?? []).compactMap { $0.preferredName?.name }
        let keys = try await Set(Self.show([]).keys)
        for option in options where !["help", "version", "show-config"].contains(option) {
            let words = option.split(separator: "-").map(String.init)
            let key = words[0] + words.dropFirst().map(\.capitalized).joined()
            #expect(keys.contains(key), "\(option)")
        }
        #expect(options.count > 15)
    }

    static let faults: [(content: String, message: String)] = [
        (#"{"port": 65536}"#, "port: must be a whole number from 0 to 65535"),
        (#"{"port": "8080"}"#, "port: must be a whole number from 0 to 65535"),
        (#"{"rateLimit": 0}"#, "rateLimit: must be a whole number of at least 1"),
        (#"{"baseUrl": "feed.example"}"#, "baseUrl: The address of this server must begin with http"),
        (#"{"baseUrl": "https://feed.example/path"}"#, "baseUrl: The address of this server must not contain a path"),
        (#"{"database": "mysql://db"}"#, "database: not a PostgreSQL address"),
        (#"{"database": "postgresql://ada:hunter2@db/feed"}"#, "database: the address must not contain a password"),
        (#"{"listen": "/run/socket"}"#, "listen: must be unix:"),
        (#"{"trustedProxy": ["10.0.0.0/99"]}"#, "trustedProxy: must be addresses"),
        (#"{"trustedProxy": "10.0.0.1,10.0.0.2"}"#, "trustedProxy: must be addresses"),
        (#"{"metricsAllow": "feed.example"}"#, "metricsAllow: must be addresses"),
        (#"{"blockedNames": ["root", "a b"]}"#, "blockedNames: Username must be 1 to 30"),
        (#"{"redirectPort": 0}"#, "redirectPort: must be a whole number from 1 to 65535"),
        (#"{"proxyHeader": "via"}"#, #"proxyHeader: must be one of "x-forwarded-for", "forwarded""#),
        (#"{"maxFileSize": "big"}"#, "maxFileSize: must be a size"),
        (#"{"maxFileSize": "9223372036854775807GiB"}"#, "maxFileSize: must be a size"),
        (#"{"fileQuota": -1}"#, "fileQuota: must be a whole number of at least 1"),
        (#"{"logLevel": "loud"}"#, #"logLevel: must be one of "trace""#),
        (#"{"registration": "maybe"}"#, #"registration: must be one of "closed""#),
        (#"{"limits": {"changeLogDays": 0}}"#, "limits.changeLogDays: must be a whole number from 1 to 3650"),
        (#"{"tilte": "x"}"#, "tilte: unknown key\nhint: Did you mean title?"),
        (#"{"base-url": "x"}"#, "base-url: unknown key\nhint: Did you mean baseUrl?"),
        (#"{"tlsCert": "/x"}"#, "tlsCert and tlsKey require each other\n"),
        (#"{"redirectPort": 80}"#, "redirectPort requires tlsCert\n"),
        (
            #"{"openRegistration": true, "registration": "closed"}"#,
            "openRegistration contradicts registration closed\n"
        ),
        ("{\"port\": 1,}", "expected a key in quotes, found \"}\""),
        ("", "expected a value, found the end of the file"),
    ]

    @Test(arguments: faults)
    func faultIsOneClearLine(content: String, message: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("feed.json", content)
        let done = try await Self.serve(["--config", file, "--data", folder.path + "/data", "--port", "0"])
        #expect(done.code == 1 && done.text.isEmpty)
        #expect(done.error.hasPrefix("error: \(file): line 1: \(message)"), "\(done.error)")
        #expect(!done.error.contains("hunter2"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["feed.json"])
    }

    @Test func unreadableFileIsExplained() async throws {
        let folder = try TemporaryFolder()
        let large = try folder.file("large.json", String(repeating: " ", count: 1 << 20) + "{}")
        let unreadable = "error: cannot read the configuration file "
        let rows = [
            (folder.path, unreadable + folder.path + ": Is a directory\nhint: Check --config FILE"),
            (
                folder.path + "/none",
                unreadable + folder.path + "/none: No such file or directory\nhint: Check --config"
            ),
            (large, "error: \(large): the configuration file is larger than 1048576 bytes\n"),
        ]
        for (path, message) in rows {
            let done = try await Self.serve(["--config", path, "--data", folder.path + "/data"])
            #expect(done.code == 1 && done.error.hasPrefix(message), "\(done.error)")
        }
        #expect(try await Self.serve(["--config"]).code == 64)
    }

    /// Settings that do not fit together are named as where they come from names them.
    @Test func conflictsNameTheFile() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("feed.json", "{\"tlsCert\": \"/x\", \"tlsKey\": \"/y\",\n\"redirectPort\": 8443}")
        let arguments = ["--config", file, "--data", folder.path + "/data"]
        let mixed = try await Self.serve(arguments + ["--port", "8443"])
        #expect(mixed.code == 1, "\(mixed.error)")
        #expect(mixed.error == "error: \(file): line 2: redirectPort must differ from --port\n", "\(mixed.error)")
        let doctor = try await Tool.run(Programs.feedserver, ["doctor", "--port", "8443"] + arguments)
        #expect(doctor.code == 1 && doctor.error == mixed.error, "\(doctor.error)")
        let given = try await Self.serve(arguments + ["--port", "8443", "--redirect-port", "8443"])
        #expect(given.code == 64 && given.error.contains("--redirect-port must differ from --port."), "\(given.error)")
    }

    /// Faults of options and of the environment are usage errors, as they are without a file.
    @Test func faultsElsewhereAreUsageErrors() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("feed.json", #"{"port": 1, "logLevel": "info"}"#)
        #expect(try await Self.serve(["--config", file, "--port", "x"]).code == 64)
        for (name, value) in [("LOG_LEVEL", "loud"), ("PORT", "abc"), ("TRUSTED_PROXY", "x"), ("METRICS_ALLOW", "y")] {
            let done = try await Self.serve(["--config", file], environment: ["FEEDSERVER_" + name: value])
            #expect(done.code == 64, "\(done.error)")
            #expect(done.error.contains("FEEDSERVER_\(name) has an invalid value: \"\(value)\"."), "\(done.error)")
        }
    }

    @Test func exampleInTheGuideIsValid() async throws {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let guide = try String(contentsOf: root.appendingPathComponent("Docs/operating.md"), encoding: .utf8)
        let section = try #require(guide.components(separatedBy: "## Configuration file\n").dropFirst().first)
        let block = try #require(section.firstMatch(of: /(?s)```json\n(.*?)```/)).1
        let folder = try TemporaryFolder()
        let shown = try await Self.show(["--config", try folder.file("feed.json", String(block))])
        #expect(shown.values.count { $0.source == "file" } > 20)
        // The guide names every limit.
        for key in shown.keys where key.hasPrefix("limits.") {
            #expect(section.contains("`\(key.dropFirst("limits.".count))`"), "\(key)")
        }
    }
}
