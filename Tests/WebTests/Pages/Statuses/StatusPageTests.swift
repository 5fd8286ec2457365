import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The page of a status shows the conversation around it.
@Suite(.hangLimit)
struct StatusPageTests {
    /// The ids of the statuses on a page, in their order.
    private static func ids(_ page: WebResponse) -> [String] {
        page.text.matches(of: /data-id="(\d+)"/).map { String($0.1) }
    }

    private static func page(_ api: WebAPI, _ name: String, _ id: String, tag: String? = nil) async throws
        -> WebResponse
    {
        let headers = tag.map { ["If-None-Match": $0] } ?? [:]
        return try await api.send(.get, "/@\(name)/\(id)", headers: headers)
    }

    @Test func ancestorsPrecedeAndRepliesFollow() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try await api.post("start", by: ada)
            let middle = try await api.post("middle", by: bob, replyTo: start)
            let other = try await api.post("another branch", by: bob, replyTo: start)
            let end = try await api.post("end", by: ada, replyTo: middle)
            let page = try await Self.page(api, "bob", middle)
            #expect(Self.ids(page) == [start, middle, end])
            #expect(page.text.contains("status-focus\" id=\"status-\(middle)\""))
            #expect(page.text.components(separatedBy: "status-focus").count == 2)
            #expect(Self.ids(try await Self.page(api, "ada", start)) == [start, middle, end, other])
            #expect(Self.ids(try await Self.page(api, "ada", end)) == [start, middle, end])
        }
    }

    /// As in the context of the API: what a visitor may not see is missing, but not the replies to it.
    @Test func hiddenStatusesAreLeftOut() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try await api.post("start", by: ada)
            let hidden = try await api.post("@ada secret words", by: bob, "direct", replyTo: start)
            let page = try await Self.page(api, "ada", start)
            #expect(Self.ids(page) == [start] && !page.text.contains("secret words"))
            // The page does not show the status that this one replies to, but has to notice the reply.
            let shown = try await api.post("@bob in public", by: ada, replyTo: hidden)
            let later = try await Self.page(api, "ada", start)
            #expect(Self.ids(later) == [start, shown] && !later.text.contains("secret words"))
            let context = try await api.send(.get, "/api/v1/statuses/\(start)/context").json
            #expect(context?["descendants"]?.ids == [shown] && context?["ancestors"]?.ids == [])
            let end = try await Self.page(api, "ada", shown)
            #expect(Self.ids(end) == [start, shown] && !end.text.contains("secret words"))
            // Its deletion separates the reply from the rest.
            _ = try await api.must(.delete, "/api/v1/statuses/\(hidden)", as: bob)
            let context2 = try await api.send(.get, "/api/v1/statuses/\(start)/context").json
            #expect(Self.ids(try await Self.page(api, "ada", start)) == [start] + (context2?["descendants"]?.ids ?? []))
        }
    }

    /// A cached page is replaced when anything on it changes, and only then.
    @Test func everythingShownIsADependency() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let start = try await api.post("start", by: ada)
            let middle = try await api.post("middle", by: bob, replyTo: start)
            let end = try await api.post("end", by: ada, replyTo: middle)
            var tag = try #require(try await Self.page(api, "bob", middle).headers[.eTag])
            _ = try await api.post("elsewhere", by: try await api.person("eve"))
            #expect(try await Self.page(api, "bob", middle, tag: tag).status == 304)

            func check(_ change: String, _ text: String) async throws {
                let page = try await Self.page(api, "bob", middle, tag: tag)
                #expect(page.status == 200 && page.text.contains(text), "\(change)")
                tag = try #require(page.headers[.eTag])
            }
            for (id, author, word) in [(start, ada, "beginning"), (end, ada, "finish")] {
                _ = try await api.must(.put, "/api/v1/statuses/\(id)", as: author, .form("status=\(word)"))
                try await check("edit of \(word)", word)
                _ = try await api.must(.post, "/api/v1/statuses/\(id)/favourite", as: bob)
                try await check("favourite of \(word)", "Favourites: ")
            }
            _ = try await api.must(
                .patch, "/api/v1/accounts/update_credentials", as: ada, .form("display_name=Countess"))
            try await check("name", "Countess")
            _ = try await api.post("one more", by: bob, replyTo: end)
            try await check("reply to a reply", "one more")
            _ = try await api.must(.delete, "/api/v1/statuses/\(end)", as: ada)
            let page = try await Self.page(api, "bob", middle, tag: tag)
            #expect(page.status == 200 && !page.text.contains("finish"))
        }
    }

    // MARK: Bounds

    private static func status(_ id: Int64) -> Status {
        Status(id: id, account: Account(id: 1, username: "ada", createdAt: 0), createdAt: 0, text: "", content: "")
    }

    @Test func nearestStatusesAreShown() {
        let context = StatusContext(
            ancestors: (1...100).map(Self.status), descendants: (1001...1200).map(Self.status), hidden: [7777])
        let thread = PageThread(Self.status(500), in: context)
        let above = Array(Int64(1)...100).suffix(PageThread.maximumAncestors)
        let below = Array(Int64(1001)...1200).prefix(PageThread.maximumReplies)
        #expect(thread.statuses.map(\.id) == Array(above) + [500] + Array(below))
        #expect(thread.start?.id == above.first && thread.hasMore)
        let known = thread.dependencies(for: nil).statuses
        #expect(known.isSuperset(of: Array(Int64(1)...100) + Array(Int64(1001)...1200) + [500, 7777]))
        let short = PageThread(Self.status(500), in: StatusContext(ancestors: [Self.status(1)], descendants: []))
        #expect(short.statuses.map(\.id) == [1, 500] && short.start == nil && !short.hasMore)
        #expect(PageThread(Self.status(5), in: nil).statuses.map(\.id) == [5])
    }

    @Test func pageSaysThatThereIsMore() throws {
        let site = try TestServices().services.site
        var page = PageContext(site: site.settings.site, edition: try site.assets.edition(), base: "")
        page.show(
            PageThread(
                Self.status(500),
                in: StatusContext(
                    ancestors: (1...100).map(Self.status), descendants: (1001...1200).map(Self.status))))
        let text = String(decoding: page.html(), as: UTF8.self)
        #expect(text.contains("<a href=\"/@ada/61\">Earlier posts") && text.contains("There are more replies"))
        page.show(PageThread(Self.status(500), in: nil))
        let whole = String(decoding: page.html(), as: UTF8.self)
        #expect(!whole.contains("Earlier posts") && !whole.contains("There are more replies"))
    }
}
