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

    private static func target(_ address: JSONValue?) throws -> String { try MediaAPITests.path(address) }

    private static let immutable = "public, max-age=31536000, immutable"

    /// The addresses in an entity, on a page and in the classic dialect.
    @Test func addressesChangeWithThePicture() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.must(.post, "/api/v1/statuses", as: ada, .form("status=hello"))
            let empty = try await api.must(.get, "/api/v1/accounts/verify_credentials", as: ada)
            #expect(try Self.target(empty["avatar"]) == "/avatars/ada")
            #expect(try Self.target(empty["header_static"]) == "/headers/ada")
            var known: Set<String> = []
            for seed in [1, 2, 1] as [UInt8] {
                let bytes = SampleMedia.png(seed)
                let files = WebBody.files([("avatar", bytes), ("header", bytes)])
                let account = try await api.must(.patch, Self.path, as: ada, files)
                let query = "?v=" + Checksum.sha256(Data(bytes)).prefix(8)
                for (name, folder) in [("avatar", "/avatars/ada"), ("header", "/headers/ada")] {
                    #expect(try Self.target(account[name]) == folder + query)
                    #expect(account[name] == account[name + "_static"])
                    let served = try await api.send(.get, folder + query)
                    #expect(Array(served.body) == bytes && served.headers[.cacheControl] == Self.immutable)
                    let tag = try #require(served.headers[.eTag])
                    let again = try await api.send(.get, folder + query, headers: ["If-None-Match": tag])
                    #expect(again.status == 304 && again.headers[.cacheControl] == Self.immutable)
                    known.insert(folder + query)
                }
                for page in ["/", "/@ada"] {
                    #expect(try await api.send(.get, page).text.contains("src=\"/avatars/ada\(query)\""), "\(page)")
                }
                let status = try await api.must(.get, "/api/v1/accounts/\(ada.id)/statuses", as: ada)
                #expect(try Self.target(status[0]?["account"]?["avatar"]) == "/avatars/ada" + query)
                let classic = try await api.send(.get, "/ViewStatus.aspx?userName=ada&password=secret")
                #expect(try Self.target(classic.json?["statuses"]?[0]?["profileImageUrl"]) == "/avatars/ada" + query)
            }
            #expect(known.count == 4)
            // Without a version, or with another one: the present picture, for a short time.
            for query in ["", "?v=", "?v=00000000", "?static=00000000", "?static", "?x=%", "?v=1&v=2"] {
                let served = try await api.send(.get, "/avatars/ada" + query)
                #expect(Array(served.body) == SampleMedia.png(1), "\(query)")
                #expect(served.headers[.cacheControl] == "public, max-age=300", "\(query)")
            }
        }
    }

    @Test func animatedPicturesHaveStillImages() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let account = try await api.must(
                .patch, Self.path, as: ada,
                .files([("avatar", SampleMedia.animation()), ("header", SampleMedia.png(2))]))
            #expect(account["header"] == account["header_static"])
            let moving = try await api.send(.get, try Self.target(account["avatar"]))
            #expect(Array(moving.body) == SampleMedia.animation())
            let address = try Self.target(account["avatar_static"])
            #expect(address.hasPrefix("/avatars/ada?static="))
            let still = try await api.send(.get, address)
            #expect(still.status == 200 && still.headers[.contentType] == "image/png")
            #expect(still.headers[.cacheControl] == Self.immutable && still.headers[.eTag] != moving.headers[.eTag])
            #expect(address.hasSuffix(Checksum.sha256(still.body).prefix(8)) && still.body != moving.body)
            // The collector knows that it is used.
            try await api.test.collect()
            #expect(try await api.test.blobs() == 3)
            // The address stays still with another picture.
            let other = try await api.must(.patch, Self.path, as: ada, .files([("avatar", SampleMedia.animation(7))]))
            #expect(other["avatar_static"] != account["avatar_static"])
            let outdated = try await api.send(.get, address)
            let current = try await api.send(.get, try Self.target(other["avatar_static"]))
            #expect(outdated.body == current.body && outdated.headers[.cacheControl] == "public, max-age=300")
            _ = try await api.must(.patch, Self.path, as: ada, .form("avatar=&header="))
            try await api.test.collect()
            #expect(try await api.test.blobs() == 0)
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
