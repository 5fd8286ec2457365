import FeedCore
import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

/// An account can have a limited number of objects of each kind. One more is rejected, and nothing is stored.
@Suite(.hangLimit)
struct MaximumNumberTests {
    /// Requests that create one object each.
    struct Kind: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var maximum: Int
        var request: @Sendable (_ number: Int) -> (path: String, form: String)
        /// A further way to create one.
        var alternative: (path: String, form: String)?
    }

    static let kinds = [
        Kind(testDescription: "filters", maximum: FilterRule.maximumFilters) {
            ("/api/v2/filters", "title=\($0)&context[]=home")
        },
        Kind(
            testDescription: "filters of version 1", maximum: FilterRule.maximumFilters,
            request: { ("/api/v1/filters", "phrase=\($0)&context[]=home") },
            alternative: ("/api/v2/filters", "title=x&context[]=home")),
        Kind(testDescription: "lists", maximum: ListRule.maximumLists) { ("/api/v1/lists", "title=\($0)") },
        Kind(testDescription: "featured hashtags", maximum: FeaturedTag.maximum) {
            ("/api/v1/featured_tags", "name=tag\($0)")
        },
        Kind(testDescription: "followed hashtags", maximum: TagRule.maximum) {
            ("/api/v1/tags/tag\($0)/follow", "")
        },
        Kind(testDescription: "scheduled statuses", maximum: ScheduledStatusRule.maximumPerAccount) {
            ("/api/v1/statuses", "status=\($0)&scheduled_at=2099-01-01T00%3A00%3A00Z")
        },
    ]

    @Test(arguments: kinds)
    func oneMoreIsRejected(kind: Kind) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for number in 0..<kind.maximum {
                let (path, form) = kind.request(number)
                try await api.must(.post, path, as: ada, .form(form))
            }
            let more = [kind.request(kind.maximum), kind.alternative].compactMap(\.self)
            try await Self.refuse(more.map { (.post, $0.path, $0.form) }, as: ada, api)
            // The limit is per account.
            let (path, form) = kind.request(kind.maximum)
            try await api.must(.post, path, as: try await api.person("bob"), .form(form))
        }
    }

    /// The keywords of all filters of an account count.
    @Test func oneMoreKeywordIsRejected() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let first = try await api.must(
                .post, "/api/v2/filters", as: ada,
                .form("title=first&context[]=home&keywords_attributes[][keyword]=first"))
            let id = try #require(first["id"]?.text)
            let keywords = (1..<FilterRule.maximumKeywords).map { "&keywords_attributes[\($0)][keyword]=k\($0)" }
            try await api.must(
                .post, "/api/v2/filters", as: ada, .form("title=full&context[]=home" + keywords.joined()))
            try await Self.refuse(
                [
                    (.post, "/api/v2/filters", "title=x&context[]=home&keywords_attributes[][keyword]=x"),
                    (.put, "/api/v2/filters/\(id)", "keywords_attributes[][keyword]=x"),
                    (.post, "/api/v2/filters/\(id)/keywords", "keyword=x"),
                    (.post, "/api/v1/filters", "phrase=x&context[]=home"),
                ], as: ada, api)
        }
    }

    private static func refuse(
        _ requests: [(method: HTTPRequest.Method, path: String, form: String)], as person: Member, _ api: WebAPI
    ) async throws {
        for (method, path, form) in requests {
            let before = try await Fingerprint(api.test)
            let response = try await api.send(method, path, as: person, .form(form))
            RefusalTests.expect([422], response, "\(method) \(path) \(form)")
            let changes = before.changes(to: try await Fingerprint(api.test))
            #expect(changes.isEmpty, "\(path) changed \(changes)")
        }
    }
}
