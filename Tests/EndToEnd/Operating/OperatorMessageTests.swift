import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Messages for the operator.
@Suite(.hangLimit)
struct OperatorMessageTests {
    @Test(arguments: [
        ("nonsense.invalid", "cannot resolve host nonsense.invalid"),
        // An address for documentation (RFC 5737), which no machine has.
        ("192.0.2.1", "192.0.2.1 is not an address of this machine"),
    ])
    func wrongHostIsExplained(host: String, words: String) async throws {
        let folder = try TemporaryFolder()
        let done = try await Tool.run(
            Programs.feedserver, ["serve", "--host", host, "--port", "0", "--data", folder.path + "/data"])
        #expect(done.code == 1 && done.text.isEmpty)
        // Only the line `starting` stands before it, because the services were cancelled and did not fail.
        let afterStarting = done.error.drop { $0 != "\n" }
        #expect(afterStarting.hasPrefix("\nerror: \(words)\nhint: Check --host"), "\(done.error)")
    }

    @Test func takenNameIsReportedBeforeThePasswordPrompt() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let done = try await server.admin("account", "add", "Ada")
        #expect(done.code == 1 && done.error.contains("the name Ada is taken"), "\(done.error)")
    }

    @Test func invalidNameIsExplained() async throws {
        let folder = try TemporaryFolder()
        let done = try await Tool.run(Programs.feedserver, ["account", "add", "a b", "--data", folder.path + "/data"])
        #expect(done.code == 1 && done.error.hasPrefix("error: Username must be"), "\(done.error)")
    }

    @Test func emailAddressIsCheckedBeforeThePasswordPrompt() async throws {
        let folder = try TemporaryFolder()
        func add(_ name: String, _ email: String, input: String = "") async throws -> Finished {
            try await Tool.run(
                Programs.feedserver,
                ["account", "add", name, "--email", email, "--data", folder.path + "/data"]
                    + (input.isEmpty ? [] : ["--password-stdin"]), input: Data(input.utf8))
        }
        for email in ["nonsense", "ada", "a@b@c", "a b@c"] {
            let done = try await add("ada", email)
            #expect(done.code == 1, "\(email)")
            #expect(done.error.hasPrefix("error: \"\(email)\" is not an email address\nhint: "), "\(done.error)")
        }
        #expect(try await add("ada", "ada@feed.test", input: "secretsecret\n").code == 0)
        let taken = try await add("bob", "Ada@feed.test")
        #expect(taken.code == 1 && taken.error.contains("the address Ada@feed.test is taken"), "\(taken.error)")
    }

    @Test func mistypedCommandHasASuggestion() async throws {
        let done = try await Tool.run(Programs.feedserver, ["acount", "list"])
        #expect(done.code == 64)
        #expect(
            done.error == "error: Unknown command \"acount\"\nhint: Did you mean feedserver account?\n", "\(done.error)"
        )
        let hidden = try await Tool.run(Programs.feedserver, ["process"])
        #expect(
            hidden.error
                == "error: Unknown command \"process\"\nhint: feedserver --help lists the commands.\n",
            "\(hidden.error)")
    }

    @Test func countsOfOneAreSingular() async throws {
        let folder = try TemporaryFolder()
        let lines = [
            #"{"kind":"account","username":"ada"}"#,
            #"{"kind":"status","author":"ada","created_at":"2023-01-01T00:00:00Z","text":"x"}"#,
        ]
        let first = try await Self.load(lines.joined(separator: "\n"), folder)
        #expect(first.error.hasSuffix("imported 1 account, 0 follows, 1 status\n"), "\(first.error)")
        #expect(try await Self.load(lines[0], folder).error.hasSuffix("; skipped 1 existing record\n"))
        try FileManager.default.createDirectory(atPath: folder.path + "/data/tmp", withIntermediateDirectories: true)
        _ = try folder.file("data/tmp/" + UUID().uuidString, "")
        let swept = try await Tool.run(Programs.feedserver, ["gc", "--grace", "0", "--data", folder.path + "/data"])
        #expect(
            swept.text == "removed 0 stored files (0 B) and 1 unfinished upload, kept 0 stored files\n",
            "\(swept.error)")
        let refused = try await Tool.run(Programs.feedserver, ["gc", "--grace", "-5", "--data", folder.path + "/data"])
        #expect(refused.code == 64 && refused.error.contains("--grace must not be negative"), "\(refused.error)")
    }

    @Test(arguments: [
        ("[]", "is not a JSON object"), ("\"x\"", "is not a JSON object"),
        (#"{"kind":1}"#, "has a value of the wrong type for \"kind\""),
        (#"{"kind":"account","username":"a b"}"#, "Username must be"),
        (String(repeating: "x", count: 1 << 20) + "x", "is longer than 1 MiB"),
        (String(repeating: "x", count: 3 << 20), "is longer than 1 MiB"),
        (#"{"kind":"status","author":"ada","created_at":"2023-01-01T00:00:00Z","text":""}"#, "text is blank"),
    ])
    func importErrorStatesTheLine(line: String, words: String) async throws {
        let folder = try TemporaryFolder()
        let file = #"{"kind":"account","username":"ada"}"# + "\n\r\n" + line + "\n\n"
        let done = try await Self.load(file, folder)
        #expect(done.code == 1)
        #expect(done.error.contains("\nerror: line 3: \(words)"), "\(done.error)")
        #expect(done.error.contains("\nhint: Nothing was imported"))
    }

    @Test(arguments: [["account", "list"], ["token", "create", "ada"], ["gc"], ["serve", "--show-config"]])
    func lostOutputIsAFailure(command: [String]) async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let script = #"exec "$0" "$@" > /dev/full"#
        let done = try await Tool.run(
            "sh", ["-c", script, Programs.feedserver] + command + ["--data", server.data])
        #expect(done.code == 1, "\(done.error)")
        #expect(
            done.error.hasSuffix("error: standard output cannot be written\nhint: Is the disk full?\n"),
            "\(done.error)")
    }

    @Test(arguments: [
        (["copy"], ["  feedserver serve --data /srv/feed --database postgresql://db.example/feed"]),
        (["restore"], ["  feedserver restore /mnt/backup/feed --at 2026-11-22 --data /var/lib/feed"]),
        (["import"], [#"   "media":[{"file":"photos/boat.jpg","description":"A red boat"}]}"#]),
    ])
    func examplesFitInto80Columns(command: [String], lines: [String]) async throws {
        let help = try await Tool.run(Programs.feedserver, command + ["--help"])
        for line in lines { #expect(help.text.contains("\n\(line)\n"), "\(help.text)") }
    }

    @Test(arguments: [
        ("feed.json", "{\n  \"version\": \"https://jsonfeed.org/version/1.1\",\n", "looks like a JSON Feed"),
        (
            "outbox.json", #"{"@context":"https://www.w3.org/ns/activitystreams","id":"outbox.json","#,
            "Mastodon archive"
        ),
        ("feed.xml", #"<?xml version="1.0"?><feed/>"#, "looks like Atom, RSS or HTML"),
        ("archive.zip", "PK\u{3}\u{4}", "looks like an archive"),
    ])
    func fileOfAnotherFormatIsRecognized(name: String, content: String, words: String) async throws {
        let folder = try TemporaryFolder()
        var path = try folder.file(name, content)
        for _ in 0..<2 {
            let done = try await Tool.run(Programs.feedserver, ["import", path, "--data", folder.path + "/data"])
            let isFolder = path == folder.path
            let message = isFolder ? "is a folder\(name == "outbox.json" ? " with a Mastodon archive" : "")\n" : words
            #expect(done.code == 1 && done.error.contains(message), "\(done.error)")
            #expect(done.error.contains("hint: import reads NDJSON"), "\(done.error)")
            path = folder.path
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    }

    /// The text of a status may name other formats, and a pipe cannot be read twice.
    @Test func linesThroughAPipeAreImported() async throws {
        let folder = try TemporaryFolder()
        let note = "https://jsonfeed.org/version/1.1 and https://www.w3.org/ns/activitystreams"
        let lines = (0..<200).map { #"{"kind":"account","username":"a\#($0)","note":"\#(note)"}"# }
        let done = try await Tool.run(
            "sh", ["-c", #"cat | "$0" import /dev/stdin "$@""#, Programs.feedserver, "--data", folder.path + "/data"],
            input: Data(lines.joined(separator: "\n").utf8))
        #expect(done.error.hasSuffix("imported 200 accounts, 0 follows, 0 statuses\n"), "\(done.error)")
    }

    @Test func helpListsTheExitCodes() async throws {
        let help = try await Tool.run(Programs.feedserver, ["--help"])
        #expect(help.code == 0 && help.text.contains("Exit codes: 0 success, 1 failure, 64 usage error."))
    }

    private static func load(_ lines: String, _ folder: TemporaryFolder) async throws -> Finished {
        let file = try folder.file("feed.ndjson", lines)
        return try await Tool.run(Programs.feedserver, ["import", file, "--data", folder.path + "/data"])
    }
}
