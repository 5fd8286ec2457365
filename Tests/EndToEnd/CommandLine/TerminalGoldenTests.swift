import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The complete output of commands in a real terminal, as the files in `Golden` describe it (``ScreenText``): at 30, 80 and
/// 120 columns, with colors and with `NO_COLOR`. With `FEED_GOLDEN=write`, the files are written instead, to be reviewed.
@Suite(.hangLimit, .enabled(if: TmuxPane.isInstalled, "apt install tmux"))
struct TerminalGoldenTests {
    struct View: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]

        init(_ name: String, _ arguments: String...) { (testDescription, self.arguments) = (name, arguments) }
    }

    private static let views = [
        View("timeline", "timeline"), View("thread", "show", "2020", "--thread"),
        View("notifications", "notifications"),
        View("user", "user", "countess.of.lovelace@a.rather.long.instance.example"),
        View("pictures", "timeline", "-n", "2", "--images", "blocks"),
    ]

    /// The name of each style, and the variables that lead to it.
    private static let styles: [(String, [String: String])] = [("dark", [:]), ("plain", ["NO_COLOR": "1"])]

    private static var isWriting: Bool { ProcessInfo.processInfo.environment["FEED_GOLDEN"] == "write" }

    @Test(arguments: views, [30, 80, 120])
    func screenIsAsDescribed(_ view: View, columns: Int) async throws {
        let server = try GoldenFeed.start()
        defer { server.close() }
        for (style, variables) in Self.styles {
            let name = "\(view.testDescription)-\(columns)-\(style).txt"
            let file = GoldenFeed.folder.appendingPathComponent(name)
            let environment = variables.merging(["PAGER": "", "TZ": "UTC"]) { $1 }
            // What an earlier command has stored would be shown first.
            let home = try await GoldenFeed.login(server)
            let shown = try await TmuxPane(columns: columns).run(home, view.arguments, environment)
            if Self.isWriting { try shown.screen.write(to: file, atomically: true, encoding: .utf8) }
            let golden = try String(contentsOf: file, encoding: .utf8)
            #expect(shown.code == 0 && shown.screen == golden, "\(name): exit code \(shown.code)\n\(shown.screen)")
        }
    }

    /// The order of the sequences of a terminal does not matter.
    @Test func descriptionsTellColors() {
        let captured =
            "\u{1B}[0;1m\u{1B}[39m\u{1B}[49ma\u{1B}[38;5;231m\u{1B}[48;2;1;2;3mb\nc\u{1B}[0md\u{1B}[m \u{1B}[31me"
        #expect(
            ScreenText.described(captured)
                == "«1»a«1;38;5;231;48;2;1;2;3»b\n«1;38;5;231;48;2;1;2;3»c«»d «31»e")
    }
}
