import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The page of a picture: `/@NAME/ID/media/N`.
@Suite(.hangLimit)
struct PicturePageTests {
    /// A status with two pictures, and the path of its page.
    private static func post(_ api: WebAPI, by person: Member, _ more: String = "", _ visibility: String = "public")
        async throws -> String
    {
        let media = [
            try await MediaAPITests.upload(api, by: person, 1, [("description", "A <red> square\n\nat sea")]).ids[0],
            try await MediaAPITests.upload(api, by: person, 2).ids[0],
        ]
        let ids = media.map { "&media_ids[]=" + $0 }.joined()
        return "/@\(person.name)/" + (try await api.post("two pictures", by: person, visibility, more: ids + more))
    }

    @Test func picturesHaveTheirTextAndNeighbors() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let path = try await Self.post(api, by: ada)
            let status = try await api.send(.get, path).text
            #expect(status.contains("<a class=\"picture\" href=\"\(path)/media/1\">"))
            let first = try await api.send(.get, path + "/media/1")
            #expect(first.status == 200 && first.text.contains(">A &lt;red&gt; square\n\nat sea</p>"))
            #expect(first.text.contains("<h1 class=\"page-heading\">Image 1 of 2</h1>"))
            #expect(first.text.contains("alt=\"A &lt;red&gt; square\n\nat sea\""))
            #expect(
                first.text.contains("href=\"\(path)/media/2\" rel=\"next\"") && !first.text.contains("rel=\"prev\""))
            #expect(first.text.contains("href=\"\(path)\"") && !first.text.contains("<details class=\"spoiler\""))
            let original = try #require(first.text.firstMatch(of: /<a href="(\/media\/[^"]+)">Original file/)).1
            #expect(try await api.send(.get, String(original)).status == 200)
            let second = try await api.send(.get, path + "/media/2").text
            #expect(
                second.contains("Without a description") && second.contains("href=\"\(path)/media/1\" rel=\"prev\""))
            #expect(!second.contains("rel=\"next\""))
            for part in ["{{", "}}", "Optional(", "style="] { #expect(!second.contains(part), "\(part)") }
        }
    }

    @Test func onlyPicturesThatExistHaveAPage() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let path = try await Self.post(api, by: ada)
            for number in ["0", "3", "-1", "01", "x", "99999999999999999999"] {
                #expect(try await api.send(.get, path + "/media/" + number).status == 404, "\(number)")
            }
            #expect(try await api.send(.get, path.replacing("@ada", with: "@bob") + "/media/1").status == 404)
            let hidden = try await Self.post(api, by: ada, "", "direct")
            #expect(try await api.send(.get, hidden + "/media/1").status == 404)
            #expect(try await api.send(.get, hidden + "/media/1", as: ada).status == 200)
        }
    }

    @Test func sensitivePicturesAreBehindAClick() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for (more, text) in [
                ("&sensitive=true", "</span> Sensitive media</summary>"),
                ("&spoiler_text=spiders&language=fr", "<bdi lang=\"fr\">spiders</bdi>"),
            ] {
                let path = try await Self.post(api, by: ada, more)
                let page = try await api.send(.get, path + "/media/1").text
                #expect(page.contains("<details class=\"spoiler\"") && page.contains(text), "\(more)")
                #expect(!page.contains("og:image"), "\(more)")
            }
        }
    }

    @Test func accountsThatHideFromSearchEnginesAreRespected() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let path = try await Self.post(api, by: ada) + "/media/1"
            #expect(try await !api.send(.get, path).text.contains("noindex"))
            try await api.must(.patch, "/api/v1/accounts/update_credentials", as: ada, .form("noindex=true"))
            #expect(try await api.send(.get, path).text.contains("noindex"))
        }
    }
}
