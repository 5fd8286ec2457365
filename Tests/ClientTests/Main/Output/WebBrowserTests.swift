import FeedAPI
import FeedClientKit
import TestKit
import Testing

@testable import feedclient

/// The command that opens a page, and other pure parts of commands.
struct WebBrowserTests {
    private static let url = "https://feed.test/@ada/1?a=b&c='d'"

    @Test func variableChoosesTheBrowser() {
        #expect(WebBrowser(environment: ["BROWSER": "w3m -F:lynx"])?.command == "w3m -F")
        #expect(WebBrowser(environment: ["BROWSER": "", "DISPLAY": ":0", "PATH": "/nowhere"]) == nil)
        #expect(WebBrowser(environment: ["PATH": "/usr/bin:/bin"]) == nil)
    }

    @Test func addressIsOneWordOfTheShell() {
        let quoted = #"'https://feed.test/@ada/1?a=b&c='\''d'\'''"#
        #expect(WebBrowser.line("w3m -F", Self.url) == "w3m -F " + quoted)
        #expect(WebBrowser.line("sh -c %s x", Self.url) == "sh -c \(quoted) x")
    }

    @Test(arguments: [
        ("https://feed.test/@ada/1", true), ("HTTP://feed.test", true), ("file:///etc/passwd", false),
        ("javascript:alert(1)", false), ("--version", false), ("https:", false), ("", false),
        ("ftp://feed.test/x", false),
    ])
    func onlyPagesOfTheWebAreOpened(url: String, isOpened: Bool) throws {
        #expect(WebBrowser.isWebAddress(url) == isOpened)
        guard !isOpened, let browser = WebBrowser(environment: ["BROWSER": "true"]) else { return }
        #expect(throws: FeedClientError.self) { try browser.open(url, waits: true) }
    }

    @Test(
        arguments: [("0,0", 0, 0), ("-1,1", -1, 1), ("0.5,-0.25", 0.5, -0.25)] as [(String, Double, Double)])
    func focusIsTwoNumbers(text: String, x: Double, y: Double) {
        #expect(FocusArgument(argument: text)?.focus == .init(x: x, y: y))
    }

    @Test(arguments: ["1", "1,", ",1", "1,2", "a,b", "0,0,0", "nan,0", "0 0"])
    func otherFocusIsRefused(text: String) { #expect(FocusArgument(argument: text) == nil) }

    @Test func emptyFocusLeavesOneOut() throws { #expect(try #require(FocusArgument(argument: "")).focus == nil) }

    @Test func listHasOneSourcePerLine() {
        let text = "a.jpg\r\n\n  # comment\nhttps://feed.test/b c \n#x\nlast"
        #expect(DownloadList.sources(in: text) == ["a.jpg", "https://feed.test/b c", "last"])
    }
}
