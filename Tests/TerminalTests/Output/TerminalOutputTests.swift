import TestKit
import Testing

@testable import FeedTerminal

/// The capabilities of terminals.
@Suite(.hangLimit)
struct TerminalOutputTests {
    @Test(arguments: [
        ("plain", "plain"), ("Zoë’s café – “déjà vu”…", "Zoe's cafe - \"deja vu\"..."), ("Straße", "Strasse"),
        ("中文 🎉", "?? ?"), ("ｆｕｌｌ ½ ™", "full 1/2 TM"), ("a\u{200B}b", "ab"), ("⟳ ★ █░", "^ * #."),
        ("\u{1B}[1mé\u{1B}[0m", "\u{1B}[1me\u{1B}[0m"), ("\u{A0}", " "),
    ])
    func textBecomesASCII(text: String, ascii: String) {
        #expect(ASCIIText.from(text) == ascii)
        #expect(ASCIIText.from(text).utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(
        arguments: [
            ([:], false), (["LANG": "C"], true), (["LANG": "POSIX"], true), (["LANG": "en_US.UTF-8"], false),
            (["LANG": "C.utf8"], false), (["LANG": "C.UTF-8"], false), (["LANG": "en_US"], false),
            (["LANG": "de_DE.ISO-8859-1"], true), (["LC_ALL": "C", "LANG": "en_US.UTF-8"], true),
            (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], false),
        ] as [([String: String], Bool)])
    func localeDecidesOnASCII(environment: [String: String], isASCII: Bool) {
        #expect(TerminalCapabilities.current(environment: environment).isASCII == isASCII)
    }

    @Test(arguments: ["1", "", "-5", "99999999999999999999", "30", "nonsense"])
    func heightIsPlausible(lines: String) {
        let rows = TerminalCapabilities.current(environment: ["LINES": lines]).rows
        #expect((2...65_535).contains(rows) && (lines != "30" || rows == 30))
    }

    @Test func pagerIsUsedForWhatDoesNotFit() {
        func needsPager(_ lines: [Int], isOutput: Bool = true) -> Bool {
            let screen = TerminalCapabilities(isOutput: isOutput, isError: true, columns: 80, rows: 10, hasColor: true)
            return Pager.isNeeded(lines, screen: screen)
        }
        let short = [Int](repeating: 10, count: 9)
        #expect(!needsPager(short) && needsPager(short + [0]))
        let most = Array(short.dropLast())
        #expect(!needsPager(most + [80]) && needsPager(most + [81]))
        #expect(!needsPager([Int](repeating: 10, count: 1000), isOutput: false))
    }

    @Test func pagerComesFromTheEnvironment() {
        #expect(Pager.command(environment: [:]) == "less -R")
        #expect(Pager.command(environment: ["PAGER": "more"]) == "more")
        #expect(Pager.command(environment: ["PAGER": " "]) == nil)
        #expect(Pager.command(environment: ["TERM": "dumb"]) == nil)
    }

    @Test(arguments: [
        ("plain 中", 8), ("\u{1B}[1mbold\u{1B}[0m", 4), ("\u{1B}[48;5;24;38;5;231m A \u{1B}[0m ", 4),
        ("\u{1B}_Ga=T,f=100;QUJD\u{1B}\\ x", 2), ("\u{1B}]1337;File=inline=1:QUJD\u{1B}\\y", 1), ("a\u{1B}", 1),
        ("a\u{1B}[12", 1),
    ])
    func escapeSequencesHaveNoWidth(line: String, columns: Int) {
        #expect(TextWidth.columns(ofOutput: line) == columns)
    }

    @Test(arguments: [
        ("/dev/pts/3", 4711, "dev-pts-3-4711"), ("/dev/ttys001", 1, "dev-ttys001-1"), ("/dev/é../x", 7, "dev-x-7"),
    ])
    func nameIsThatOfDeviceAndSession(device: String, session: Int32, name: String) {
        #expect(TerminalIdentity.name(device: device, session: session) == name)
    }
}
