import Testing

@testable import FeedWeb

/// Which cookies count, by the method, the place and the fields that browsers add.
struct CrossSiteRuleTests {
    private static let server = "https://feed.test"

    struct Row: Sendable, CustomTestStringConvertible {
        var site: String?
        var origin: String?
        /// For the API: reading, and anything else.
        let read: CrossSiteRule.Verdict
        let write: CrossSiteRule.Verdict

        var testDescription: String { "\(site ?? "-") \(origin ?? "-")" }
    }

    static let rows: [Row] = [
        Row(site: "same-origin", read: .counts, write: .counts),
        Row(site: "same-origin", origin: server, read: .counts, write: .counts),
        Row(site: "same-site", read: .foreign, write: .foreign),
        Row(site: "same-site", origin: server, read: .foreign, write: .foreign),
        Row(site: "cross-site", read: .foreign, write: .foreign),
        Row(site: "cross-site", origin: server, read: .foreign, write: .foreign),
        Row(site: "none", read: .ignored, write: .foreign),
        Row(site: "none", origin: server, read: .ignored, write: .foreign),
        Row(site: "", read: .foreign, write: .foreign),
        Row(site: "Same-Origin", read: .foreign, write: .foreign),
        Row(site: "same-origin, same-origin", read: .foreign, write: .foreign),
        Row(origin: server, read: .counts, write: .counts),
        Row(origin: "null", read: .foreign, write: .foreign),
        Row(origin: "", read: .foreign, write: .foreign),
        Row(origin: "http://feed.test", read: .foreign, write: .foreign),
        Row(origin: "https://feed.test:8443", read: .foreign, write: .foreign),
        Row(origin: "https://evil.feed.test", read: .foreign, write: .foreign),
        Row(origin: "https://feed.test.evil.test", read: .foreign, write: .foreign),
        Row(origin: "https://feed.test, https://feed.test", read: .foreign, write: .foreign),
        Row(read: .counts, write: .foreign),
    ]

    @Test(arguments: rows) func cookieCountsForOurOwnPages(row: Row) {
        var rule = CrossSiteRule(place: .api, site: row.site, origin: row.origin, server: Self.server)
        #expect(rule.verdict == row.read)
        rule.isRead = false
        #expect(rule.verdict == row.write)
        // Forms of the pages, and writing files.
        for place in CrossSiteRule.Place.allCases {
            rule = CrossSiteRule(place: place, isRead: false, site: row.site, origin: row.origin, server: Self.server)
            #expect(rule.verdict == row.write)
        }
        rule = CrossSiteRule(place: .page, isWebSocket: true, site: row.site, origin: row.origin, server: Self.server)
        #expect(rule.verdict == row.read)
    }

    @Test(arguments: rows) func pageMayBeOpenedFromAnywhere(row: Row) {
        let rule = CrossSiteRule(place: .page, site: row.site, origin: row.origin, server: Self.server)
        #expect(rule.verdict == .counts)
    }

    @Test(arguments: rows) func fileIsTheSameForEveryone(row: Row) {
        let rule = CrossSiteRule(place: .file, site: row.site, origin: row.origin, server: Self.server)
        #expect(rule.verdict == .ignored)
    }

    /// Browsers omit the port that the scheme implies.
    @Test(arguments: [
        ("https://feed.test:443", "https://feed.test", true), ("http://feed.test:80", "http://feed.test", true),
        ("http://feed.test:443", "http://feed.test", false), ("https://feed.test:80", "https://feed.test", false),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080", true), ("http://[::1]:8080", "http://[::1]:8080", true),
        ("http://feed.test:8080", "http://feed.test", false), ("http://feed.test", "http://feed.test:80", false),
    ])
    func impliedPortIsIgnored(server: String, origin: String, counts: Bool) {
        let rule = CrossSiteRule(place: .page, isRead: false, origin: origin, server: server)
        #expect(rule.verdict == (counts ? .counts : .foreign))
    }

    @Test(
        arguments: [
            ("/", .page), ("/home", .page), ("/@ada", .page), ("/login", .page), ("/oauth/authorize", .page),
            ("/oauth/authorize/native", .page), ("/oauth/token", .api), ("/oauth/revoke", .api), ("/oauth", .api),
            ("/api/v1/statuses", .api), ("//api//v1", .api), ("/api", .api), ("/apis", .page), ("/uploads/x", .api),
            ("/files", .file), ("/files/x", .file), ("/assets/style.css", .file), ("/assets/1/reader.js", .file),
            ("/sw.js", .file), ("/ViewStatus.aspx", .file),
            ("/feed.json", .page), ("", .page),
        ] as [(String, CrossSiteRule.Place)])
    func placeFollowsFromThePath(path: String, place: CrossSiteRule.Place) {
        #expect(CrossSiteRule.Place(path) == place)
    }

    @Test(arguments: ["/", "/home", "/@ada?max_id=5", "/tags/%C3%A9", "/oauth/authorize?redirect_uri=https://x.test"])
    func pathOfThisServerIsAccepted(path: String) { #expect(LocalPath(path)?.text == path) }

    @Test(arguments: [
        "", "home", "//evil.test", "///evil.test", "/\\evil.test", "\\\\evil.test", "https://evil.test",
        "/\t/evil.test",
        "/\n/evil.test", "/a b", "/é", "/\u{0}", "javascript:alert(1)", "/" + String(repeating: "a", count: 2048),
    ])
    func pathToAnotherServerIsRefused(path: String) { #expect(LocalPath(path) == nil) }
}
