import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Generated pictures.
@Suite(.hangLimit)
struct ImageTests {
    @Test(arguments: ["/avatars/ada", "/headers/ada", "/badges/member.png", "/badges/admin.png"])
    func picturesAreStableAndCacheable(path: String) async throws {
        try await WebAPI.run { api in
            _ = try await api.person("ada")
            let first = try await api.send(.get, path)
            let again = try await api.send(.get, path)
            #expect(first.status == 200 && first.body == again.body && first.headers[.eTag] == again.headers[.eTag])
            #expect(first.headers[.contentType] == "image/png")
            #expect(first.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            let tag = try #require(first.headers[.eTag])
            let known = try await api.send(.get, path, headers: ["If-None-Match": tag])
            #expect(known.status == 304 && known.body.isEmpty && known.headers[.eTag] == tag)
            let part = try await api.send(.get, path, headers: ["Range": "bytes=1-3"])
            #expect(part.status == 206 && part.text == "PNG")
            let head = try await api.send(.head, path)
            #expect(head.headers[.contentLength] == String(first.body.count))
        }
    }

    @Test func differentNamesHaveDifferentPictures() async throws {
        try await WebAPI.run { api in
            for name in ["ada", "bob"] { _ = try await api.person(name) }
            let (ada, bob) = (try await api.send(.get, "/avatars/ada"), try await api.send(.get, "/avatars/bob"))
            #expect(ada.body != bob.body && ada.headers[.eTag] != bob.headers[.eTag])
            #expect(try await api.send(.get, "/avatars/eve").status == 404)
        }
    }
}
