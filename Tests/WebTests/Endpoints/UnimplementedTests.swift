import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Endpoints of Mastodon 4.3 that this server does not have. Docs/mastodon-api.md gives the reasons.
@Suite(.hangLimit)
struct UnimplementedTests {
    /// Paths by their names in Docs/mastodon-api.md.
    static let missing: [(name: String, requests: [(method: HTTPRequest.Method, path: String)])] = [
        ("announcements/:id/dismiss", [(.post, "/api/v1/announcements/1/dismiss")]),
        (
            "announcements/:id/reactions/:name",
            [(.put, "/api/v1/announcements/1/reactions/x"), (.delete, "/api/v1/announcements/1/reactions/x")]
        ),
        ("statuses/:id/translate", [(.post, "/api/v1/statuses/1/translate")]),
        ("conversations/:id/unread", [(.post, "/api/v1/conversations/1/unread")]),
        ("push/subscription", [.get, .post, .put, .delete].map { ($0, "/api/v1/push/subscription") }),
        ("emails/confirmations", [(.post, "/api/v1/emails/confirmations")]),
        ("emails/check_confirmation", [(.get, "/api/v1/emails/check_confirmation")]),
        ("annual_reports", [(.get, "/api/v1/annual_reports"), (.post, "/api/v1/annual_reports/2024/read")]),
        ("/api/oembed", [(.get, "/api/oembed")]),
        ("admin/domain_blocks", [(.get, "/api/v1/admin/domain_blocks")]),
        ("admin/domain_allows", [(.get, "/api/v1/admin/domain_allows")]),
        ("admin/ip_blocks", [(.get, "/api/v1/admin/ip_blocks")]),
        ("admin/email_domain_blocks", [(.get, "/api/v1/admin/email_domain_blocks")]),
        ("admin/canonical_email_blocks", [(.get, "/api/v1/admin/canonical_email_blocks")]),
        ("admin/tags", [(.get, "/api/v1/admin/tags")]),
        ("admin/trends", ["tags", "links", "statuses"].map { (.get, "/api/v1/admin/trends/" + $0) }),
        ("admin/measures", [(.post, "/api/v1/admin/measures")]),
        ("admin/dimensions", [(.post, "/api/v1/admin/dimensions")]),
        ("admin/retention", [(.post, "/api/v1/admin/retention")]),
    ]

    @Test func missingEndpointsAreNotFound() async throws {
        try await WebAPI.run { api in
            let root = try await api.admin("root")
            for (method, path) in Self.missing.flatMap(\.requests) {
                for person in [nil, root] {
                    let response = try await api.send(method, path, as: person)
                    RefusalTests.expect([404], response, "\(method) \(path)")
                }
            }
        }
    }

    /// There are no other servers whose domains could be blocked.
    @Test(arguments: [HTTPRequest.Method.post, .delete])
    func domainsCannotBeBlocked(method: HTTPRequest.Method) async throws {
        try await WebAPI.run { api in
            let response = try await api.send(
                method, "/api/v1/domain_blocks", as: try await api.person("ada"), .form("domain=x.test"))
            RefusalTests.expect([405], response, "\(method)")
        }
    }

    /// Every endpoint of the table is named with its reason.
    @Test func documentNamesThem() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Docs/mastodon-api.md"), encoding: .utf8)
        for name in Self.missing.map(\.name) { #expect(text.contains("`\(name)`"), "\(name)") }
        for path in APIEndpoint.unsupported.map(\.path) {
            let name = String(path.prefix { $0 != "?" }).replacing("/api/v1/", with: "").replacing("{bob}", with: ":id")
            #expect(text.contains("`\(name)`"), "\(name)")
        }
    }
}
