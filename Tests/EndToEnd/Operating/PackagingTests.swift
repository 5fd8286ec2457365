import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The files from which `make deb` makes packages.
@Suite(.hangLimit)
struct PackagingTests {
    private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    private static func path(_ name: String) -> String { root.appendingPathComponent(name).path }

    private static func lines(_ name: String) throws -> [String] {
        try String(contentsOfFile: path(name), encoding: .utf8).components(separatedBy: "\n")
    }

    @Test func bothProgramsHaveOneVersion() async throws {
        let server = try await Tool.run(Programs.feedserver, ["--version"])
        let client = try await Tool.run(Programs.feedclient, ["--version"])
        #expect(server.code == 0 && server.text.replacing("server", with: "client") == client.text)
        #expect(server.text.contains(/^feedserver [0-9]+\.[0-9]+\.[0-9]+/), "\(server.text)")
    }

    @Test(
        .enabled(if: Tool.isInstalled("man"), "man is not installed: apt-get install man-db"),
        arguments: [Programs.feedserver, Programs.feedclient])
    func everyCommandHasAManPageWithoutWarnings(program: String) async throws {
        let folder = try TemporaryFolder()
        let written = try await Tool.run(Self.path("scripts/man-pages"), [program, folder.path])
        try #require(written.code == 0, "\(written.error)")
        let name = URL(fileURLWithPath: program).lastPathComponent
        let commands = try await CommandList.of(program)
        try #require(!commands.isEmpty)
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(pages == ([name + ".1"] + commands.map { "\(name)-\($0).1" }).sorted())
        for page in pages {
            let shown = try await Tool.run(
                "man", ["--warnings", "--local-file", folder.path + "/" + page],
                environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8"])
            #expect(shown.code == 0 && shown.error.isEmpty, "\(page): \(shown.error)")
            #expect(shown.text.contains("SYNOPSIS") && shown.text.contains("DESCRIPTION"), "\(page)")
        }
    }

    @Test func manPageShowsOptionsAndExitCodes() async throws {
        let folder = try TemporaryFolder()
        let written = try await Tool.run(Self.path("scripts/man-pages"), [Programs.feedserver, folder.path])
        try #require(written.code == 0, "\(written.error)")
        let serve = try String(contentsOfFile: folder.path + "/feedserver-serve.1", encoding: .utf8)
        #expect(serve.contains(#"\fB\-\-base\-url\fR \fIurl\fR"#))
        let program = try String(contentsOfFile: folder.path + "/feedserver.1", encoding: .utf8)
        #expect(program.contains(".SH EXIT STATUS\n.TP\n\\fB0\\fR\n") && program.contains("\\fB64\\fR"))
    }

    @Test func everySettingInTheDefaultsIsAnOptionOfServe() async throws {
        let help = try await Tool.run(Programs.feedserver, ["serve", "--help"])
        let variables = try Self.lines("packaging/debian/feedserver.default").compactMap { line in
            line.firstMatch(of: /^#?FEEDSERVER_([A-Z_]+)=/).map { String($0.1) }
        }
        #expect(variables.contains("BASE_URL"))
        for variable in variables {
            let option = "--" + variable.lowercased().replacing("_", with: "-") + " "
            #expect(help.text.contains(option), "\(variable)")
        }
    }

    @Test(
        .enabled(if: Tool.isInstalled("systemd-analyze"), "systemd-analyze is not installed: apt-get install systemd"),
        arguments: ["feedserver", "feedserver-backup"])
    func unitsAreHardened(unit: String) async throws {
        let path = Self.path("packaging/debian/\(unit).service")
        // Tenths of the figure that is shown.
        let done = try await Tool.run(
            "systemd-analyze", ["security", "--offline=true", "--no-pager", "--threshold=15", path])
        #expect(done.code == 0, "\(done.text.suffix(200)) \(done.error)")
    }

    @Test func bothUnitsAreHardenedAlike() throws {
        let sections = try ["feedserver", "feedserver-backup"].map { unit in
            try Self.lines("packaging/debian/\(unit).service").drop { !$0.hasPrefix("UMask=") }.prefix { !$0.isEmpty }
        }
        #expect(sections[0].count > 25 && sections[0] == sections[1])
    }

    @Test(arguments: ["postinst", "prerm", "postrm"])
    func maintainerScriptsAreShellScripts(name: String) async throws {
        let done = try await Tool.run("sh", ["-n", Self.path("packaging/debian/feedserver." + name)])
        #expect(done.code == 0, "\(done.error)")
    }
}

/// The commands of a program, as it lists them itself.
enum CommandList {
    private struct Dump: Decodable {
        struct Command: Decodable {
            var commandName: String
            var shouldDisplay: Bool?
            var subcommands: [Command]?
        }
        var command: Command
    }

    static func of(_ program: String) async throws -> [String] {
        let done = try await Tool.run(program, ["--experimental-dump-help"])
        let root = try JSONDecoder().decode(Dump.self, from: done.output).command
        return (root.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
            .map(\.commandName)
    }
}
