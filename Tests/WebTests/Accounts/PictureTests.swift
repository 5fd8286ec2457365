import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Avatars and headers that people upload.
@Suite(.hangLimit)
struct PictureTests {
    private static let path = "/api/v1/accounts/update_credentials"

    @Test func picturesAreSetAndRemoved() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let generated = [
                try await api.send(.get, "/avatars/ada").body, try await api.send(.get, "/headers/ada").body,
            ]
            let body = WebBody.files(
                [("avatar", SampleMedia.png(1)), ("header", SampleMedia.png(2))], [("display_name", "Ada L.")])
            let account = try await api.must(.patch, Self.path, as: ada, body)
            #expect(account["display_name"]?.text == "Ada L.")
            for (name, seed) in [("avatar", 1), ("header", 2)] as [(String, UInt8)] {
                let served = try await api.send(.get, MediaAPITests.path(account[name]))
                #expect(Array(served.body) == SampleMedia.png(seed) && served.headers[.contentType] == "image/png")
            }
            // Another field does not change them, and an empty one removes a picture.
            _ = try await api.must(.patch, Self.path, as: ada, .form("note=x"))
            #expect(try await api.send(.get, "/avatars/ada").body == Data(SampleMedia.png(1)))
            _ = try await api.must(.patch, Self.path, as: ada, .form("avatar="))
            #expect(try await api.send(.get, "/avatars/ada").body == generated[0])
            #expect(try await api.send(.get, "/headers/ada").body == Data(SampleMedia.png(2)))
            _ = try await api.must(.delete, "/api/v1/profile/header", as: ada)
            #expect(try await api.send(.get, "/headers/ada").body == generated[1])
            try await api.test.collect()
            #expect(try await api.test.blobs() == 0)
            #expect(try api.test.temporaryFiles() == [])
        }
    }

    static let refused: [(name: String, body: WebBody, status: Int)] = [
        ("text", .files([("avatar", Array("hello".utf8))]), 422),
        ("video", .files([("header", SampleMedia.mp4)]), 422),
        ("data", .form("avatar=data:image/png;base64,AAAA"), 422),
        ("one of two", .files([("avatar", SampleMedia.png()), ("header", Array("x".utf8))]), 422),
        ("name", .files([("avatar", SampleMedia.png())], [("display_name", String(repeating: "x", count: 101))]), 422),
    ]

    @Test func refusedPicturesChangeNothing() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let before = try await api.must(.get, "/api/v1/accounts/verify_credentials", as: ada)
            let picture = try await api.send(.get, "/avatars/ada").body
            for (name, body, status) in Self.refused {
                let response = try await api.send(.patch, Self.path, as: ada, body)
                #expect(response.status == status, "\(name): \(response.summary)")
            }
            #expect(try await api.must(.get, "/api/v1/accounts/verify_credentials", as: ada) == before)
            #expect(try await api.send(.get, "/avatars/ada").body == picture)
            try await api.test.collect()
            #expect(try await api.test.blobs() == 0)
            #expect(try api.test.temporaryFiles() == [])
        }
    }
}
