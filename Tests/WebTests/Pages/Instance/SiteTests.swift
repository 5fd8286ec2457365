import FeedCore
import FeedTestSupport
import FeedWeb
import HTTPTypes
import NIOCore
import TestKit
import Testing

/// The operator's description of the server on the pages of the web reader.
@Suite(.hangLimit)
struct SiteTests {
    @Test func pagesShowTitleAndContact() async throws {
        let test = try TestServices()
        _ = try await test.account("ada")
        let client = TestClient(test.services)
        let tag = try await client.execute(uri: "/", method: .get) { response in
            let page = String(buffer: response.body)
            #expect(page.contains("<title>Test feed</title>") && !page.contains("Contact:"))
            return try #require(response.headers[.eTag])
        }
        let headers: HTTPFields = [.ifNoneMatch: tag]
        try await client.execute(uri: "/", method: .get, headers: headers) { #expect($0.status == .notModified) }
        var values = ReloadableSettings.Values()
        values.site.title = "Hafen <3"
        values.site.text = "Ships & boats"
        values.site.contactAccount = "ada"
        values.site.contactEmail = "ada@feed.example"
        test.settings.replace(with: values)
        // A page in a browser's cache is out of date, too.
        try await client.execute(uri: "/", method: .get, headers: headers) { response in
            let page = String(buffer: response.body)
            #expect(response.status == .ok)
            for part in [
                "<title>Hafen &lt;3</title>", "<span>Hafen &lt;3</span>", "content=\"Ships &amp; boats\"",
                "<a href=\"/@ada\">@ada</a>", "<a href=\"mailto:ada@feed.example\">ada@feed.example</a>",
            ] { #expect(page.contains(part), "\(part)") }
        }
    }
}
