import Foundation
import TestKit
import Testing

@testable import FeedTerminal

private let environments: [PictureTests.Case] = [
    .init(["TERM": "xterm-kitty"], .kitty),
    .init(["TERM": "xterm-ghostty"], .kitty),
    .init(["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
    .init(["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .kitty),
    .init(["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm),
    .init(["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iterm),
    .init(["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm),
    .init(["TERM": "xterm-256color", "KONSOLE_VERSION": "230800"], .kitty),
    .init(["TERM": "xterm-256color", "KONSOLE_VERSION": "211200"], .none),
    .init(["TERM": "xterm-256color", "KONSOLE_VERSION": "new"], .none),
    .init(["TERM": "foot"], .sixel),
    .init(["TERM": "foot-extra"], .sixel),
    .init(["TERM": "mlterm-256color"], .sixel),
    .init(["TERM": "xterm-256color", "TERM_PROGRAM": "mintty"], .sixel),
    .init(["TERM": "foot", "TMUX": "/tmp/tmux,1,0"], .none),
    .init(["TERM": "xterm-256color"], .none),
    .init([:], .none),
    .init(["TERM": "dumb", "TERM_PROGRAM": "iTerm.app"], .none),
    .init(["TERM": "linux", "KITTY_WINDOW_ID": "1"], .none),
    .init(["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "KITTY_WINDOW_ID": "1"], .none),
    .init(["TERM": "xterm-kitty", "TMUX": "/tmp/tmux,1,0"], .none),
    .init(["TERM": "screen.xterm-256color", "KITTY_WINDOW_ID": "1"], .none),
    .init(["TERM": "xterm-kitty", "STY": "1.tty"], .none),
    .init(["TERM": "xterm-256color", "ZELLIJ": "0", "TERM_PROGRAM": "WezTerm"], .none),
    .init(["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal", "KITTY_WINDOW_ID": "1"], .none),
    .init(["TERM": "xterm-256color", "VTE_VERSION": "7600", "KITTY_WINDOW_ID": "1"], .none),
]

@Suite(.hangLimit)
struct PictureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let environment: [String: String]
        let expected: PictureProtocol

        init(_ environment: [String: String], _ expected: PictureProtocol) {
            self.environment = environment
            self.expected = expected
        }

        var testDescription: String { environment.map { "\($0)=\($1)" }.sorted().joined(separator: " ") }
    }

    @Test(arguments: environments)
    func protocolIsDetectedFromTheEnvironment(_ example: Case) {
        #expect(PictureProtocol.detect(environment: example.environment, isTerminal: true) == example.expected)
        #expect(PictureProtocol.detect(environment: example.environment, isTerminal: false) == .none)
    }

    private static func png(_ size: Int) -> [UInt8] {
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return head + (0..<max(0, size - 8)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    @Test(arguments: [8, 100, 3071, 3072, 3073, 6144, 100_000])
    func kittyReceivesPNGInChunks(size: Int) throws {
        let bytes = Self.png(size)
        let text = try #require(KittyEncoder.text(png: bytes, columns: 4, rows: 2))
        let parts = text.components(separatedBy: "\u{1B}\\")
        #expect(parts.last == "")
        let pieces = parts.dropLast()
        var data = ""
        for (index, piece) in pieces.enumerated() {
            let isLast = index == pieces.count - 1
            let keys = piece.prefix { $0 != ";" }
            let payload = piece.dropFirst(keys.count + 1)
            let first = index == 0 ? "a=T,f=100,t=d,q=2,C=1,c=4,r=2," : ""
            #expect(keys == "\u{1B}_G\(first)m=\(isLast ? 0 : 1)")
            #expect(!payload.isEmpty && payload.utf8.count <= 4096)
            #expect(isLast || payload.utf8.count == 4096)
            data += payload
        }
        #expect(Data(base64Encoded: data).map { Array($0) } == bytes)
    }

    @Test func kittyAcceptsOnlyPNG() {
        #expect(KittyEncoder.text(png: [], columns: 4, rows: 2) == nil)
        #expect(KittyEncoder.text(png: [0xFF, 0xD8, 0xFF, 0xE0], columns: 4, rows: 2) == nil)
        #expect(KittyEncoder.text(png: Self.png(9), columns: 0, rows: -1)?.contains("c=1,r=1,") == true)
    }

    @Test func iTermReceivesAFile() {
        let text = ITermEncoder.text(Array("GIF89a".utf8), columns: 4, rows: 2)
        #expect(
            text == "\u{1B}]1337;File=inline=1;size=6;width=4;height=2;preserveAspectRatio=1:R0lGODlh\u{1B}\\")
    }

    @Test(arguments: [
        ("ada", "[A] "), ("Ada Lovelace", "[A] "), ("  ada", "[A] "), ("@grace", "[G] "), ("_x_", "[X] "),
        ("éva", "[É] "), ("ßtrange", "[ß] "), ("7of9", "[7] "), ("字母", "[字]"), ("🦊 fox", "[🦊]"), ("👩‍👩‍👧‍👦", "[👩‍👩‍👧‍👦]"),
        ("", "[?] "), ("   ", "[?] "), ("...", "[.] "), ("\u{1B}[31mx", "[3] "), ("\u{202E}\u{7}ada", "[A] "),
        ("\n\u{200B}b", "[B] "),
    ])
    func badgeShowsTheInitial(name: String, expected: String) {
        #expect(LetterAvatar.text(for: name, hasColor: false) == expected)
        #expect(TextWidth.columns(of: expected) == LetterAvatar.columns)
    }

    @Test(arguments: [("ada", " A "), ("字母", " 字"), ("\u{1B}]0;x\u{7}", " 0 "), ("", " ? ")])
    func badgeColorIsStable(name: String, cell: String) throws {
        let text = LetterAvatar.text(for: name, hasColor: true)
        #expect(text == LetterAvatar.text(for: name, hasColor: true))
        #expect(text.hasPrefix("\u{1B}[48;5;") && text.hasSuffix(";38;5;231m\(cell)\u{1B}[0m "))
        #expect(text.unicodeScalars.filter { $0.value == 0x1B }.count == 2)
    }

    @Test func badgeColorsDependOnTheName() {
        let avatars = Set((0..<100).map { LetterAvatar.text(for: "a\($0)", hasColor: true) })
        #expect(avatars.count > 10)
        // Stable from run to run and from version to version.
        #expect(LetterAvatar.text(for: "ada", hasColor: true).hasPrefix("\u{1B}[48;5;130;"))
    }

    @Test func stackedCombiningMarksAreTruncated() {
        let heap = "e" + String(repeating: "\u{301}", count: 200)
        #expect(LetterAvatar.text(for: heap, hasColor: false).unicodeScalars.count < 10)
    }
}
