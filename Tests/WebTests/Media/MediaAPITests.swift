import FeedCore
import FeedFiles
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import HTTPTypes
import TestKit
import Testing

/// Attachments as applications upload, change and attach them.
@Suite(.hangLimit)
struct MediaAPITests {
    /// Uploads an image that must be accepted.
    static func upload(
        _ api: WebAPI, by person: Member, _ seed: UInt8 = 1, _ fields: [(name: String, value: String)] = []
    ) async throws -> JSONValue {
        let body = WebBody.files([("file", SampleMedia.png(seed))], fields)
        return try await api.must(.post, "/api/v1/media", as: person, body)
    }

    /// The path of an address of this server.
    static func path(_ url: JSONValue?) throws -> String {
        try #require(url?.text).replacing("http://feed.test", with: "")
    }

    @Test(arguments: ["/api/v1/media", "/api/v2/media"])
    func imageIsUploadedAndServed(path: String) async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let body = WebBody.files(
                [("file", SampleMedia.png())], [("description", "a red square"), ("focus", "-0.5,0.25")])
            let media = try await api.must(.post, path, as: ada, body)
            #expect(media["type"]?.text == "image" && media["description"]?.text == "a red square")
            #expect(media["blurhash"]?.text == "000000")
            let original = media["meta"]?["original"]
            #expect(original?["width"]?.number == 16 && original?["height"]?.number == 9)
            #expect(original?["size"]?.text == "16x9" && original?["aspect"]?.number == 1.778)
            #expect(media["meta"]?["small"]?["size"]?.text == "4x3")
            #expect(media["meta"]?["focus"] == .object(["x": .number(-0.5), "y": .number(0.25)]))
            #expect(try await api.must(.get, "/api/v1/media/\(media.ids[0])", as: ada) == media)
            let url = try Self.path(media["url"])
            // Neither the name of the upload nor anything that can be guessed.
            #expect(url.wholeMatch(of: /\/media\/[A-Za-z0-9_-]{40,}\/image\.png/) != nil, "\(url)")
            let served = try await api.send(.get, url)
            #expect(served.status == 200 && Array(served.body) == SampleMedia.png())
            #expect(served.headers[.contentType] == "image/png")
            #expect(try await api.send(.get, Self.path(media["preview_url"])).headers[.contentType] == "image/png")
        }
    }

    @Test(arguments: ["image/png", "application/octet-stream"]) func fileInsteadOfAFormIsNamed(type: String)
        async throws
    {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let body = WebBody(type: type, bytes: Data(SampleMedia.png()))
            let refused = try await api.send(.post, "/api/v2/media", as: ada, body)
            #expect(refused.status == 400 && refused.text.contains("not multipart/form-data"), "\(refused.summary)")
        }
    }

    @Test func contentIsImmutableAndInactive() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let media = try await Self.upload(api, by: ada)
            let url = try Self.path(media["url"])
            let served = try await api.send(.get, url)
            #expect(served.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(served.headers[try #require(HTTPField.Name("X-Content-Type-Options"))] == "nosniff")
            #expect(served.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
            #expect(served.headers[.contentDisposition] == "inline; filename=\"image.png\"")
            let tag = try #require(served.headers[.eTag])
            #expect(try await api.send(.get, url, headers: ["If-None-Match": tag]).status == 304)
            let part = try await api.send(.get, url, headers: ["Range": "bytes=1-3"])
            #expect(part.status == 206 && part.text == "PNG")
            #expect(part.headers[.contentRange] == "bytes 1-3/\(served.body.count)")
            let head = try await api.send(.head, url)
            #expect(head.status == 200 && head.headers[.contentLength] == String(served.body.count))
            for wrong in [url + "x", url.replacing("image.png", with: "video.mp4"), "/media/x/image.png", "/media/x"] {
                #expect(try await api.send(.get, wrong).status == 404, "\(wrong)")
            }
        }
    }

    @Test func attachmentsOfSuspendedAccountsAreNotServed() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let media = try await Self.upload(api, by: ada)
            let urls = [try Self.path(media["url"]), try Self.path(media["preview_url"])]
            let id = try #require(Int64(ada.id))
            try await api.test.store.moderation.perform(.suspend, on: id)
            for url in urls { #expect(try await api.send(.get, url).status == 404) }
            try await api.test.store.moderation.perform(.unsuspend, on: id)
            for url in urls { #expect(try await api.send(.get, url).status == 200) }
        }
    }

    @Test func storedFileBecomesAnAttachment() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let file = WebBody(type: "image/png", bytes: Data(SampleMedia.png(3)))
            #expect(try await api.send(.put, "/files/my%20photo.png", as: ada, file).status == 201)
            let form = WebBody.form("file_name=my+photo.png&description=mine")
            let media = try await api.must(.post, "/api/v2/media", as: ada, form)
            #expect(media["description"]?.text == "mine")
            let served = try await api.send(.get, Self.path(media["url"]))
            #expect(served.body == file.bytes)
            // The file itself is unchanged, and belongs to its owner.
            #expect(try await api.send(.get, "/files/my%20photo.png").body == file.bytes)
            #expect(try await api.send(.post, "/api/v2/media", as: bob, form).status == 404)
            #expect(try await api.send(.post, "/api/v2/media", as: ada, .form("file_name=none")).status == 404)
        }
    }

    static let refused: [(name: String, body: WebBody, status: Int)] = [
        ("nothing", .form(""), 422), ("no file", .multipart([("description", "x")]), 422),
        ("text", .files([("file", Array("<script>alert(1)</script>".utf8))]), 422),
        ("empty", .files([("file", [])]), 422),
        ("another field", .files([("picture", SampleMedia.png())]), 422),
        ("focus", .files([("file", SampleMedia.png())], [("focus", "left")]), 422),
        (
            "description",
            .files([("file", SampleMedia.png())], [("description", String(repeating: "x", count: 1501))]), 422
        ),
        ("too large", .files([("file", SampleMedia.png(1, width: 200, height: 200))]), 413),
        ("too many pixels", .files([("file", SampleMedia.png(1, width: 16, height: 13))]), 422),
        ("thumbnail", .files([("file", SampleMedia.png()), ("thumbnail", SampleMedia.mp4)]), 422),
        ("malformed", WebBody(type: "multipart/form-data; boundary=B", bytes: Data("--B\r\nx".utf8)), 400),
    ]

    @Test func refusedUploadsLeaveNothingBehind() async throws {
        var limits = Limits()
        (limits.media.imageBytes, limits.media.videoBytes, limits.media.pixels) = (1200, 1000, 200)
        try await WebAPI.run(limits: limits) { api in
            let ada = try await api.person("ada")
            for (name, body, status) in Self.refused {
                for path in ["/api/v1/media", "/api/v2/media"] {
                    let response = try await api.send(.post, path, as: ada, body)
                    #expect(response.status == status, "\(name): \(response.summary)")
                }
            }
            try await api.test.collect()
            #expect(try await api.test.blobs() == 0)
            #expect(try api.test.temporaryFiles() == [])
        }
    }

    @Test func customThumbnailIsShown() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let body = WebBody.files([("file", SampleMedia.mp4), ("thumbnail", SampleMedia.png(7))])
            let media = try await api.must(.post, "/api/v2/media", as: ada, body)
            #expect(media["type"]?.text == "video" && media["meta"]?["original"]?["duration"]?.number == 1.5)
            let preview = try Self.path(media["preview_url"])
            #expect(try await api.send(.get, preview).headers[.contentType] == "image/png")
            let changed = try await api.must(
                .put, "/api/v1/media/\(media.ids[0])", as: ada, .files([("thumbnail", SampleMedia.png(90, width: 40))]))
            #expect(try Self.path(changed["preview_url"]) != preview)
            #expect(try await api.send(.get, preview).status == 404)
            #expect(try await api.send(.get, Self.path(changed["preview_url"])).status == 200)
            try await api.test.collect()
            #expect(try await api.test.blobs() == 2)
        }
    }

    @Test func attachmentIsDeleted() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let media = try await Self.upload(api, by: ada)
            let path = "/api/v1/media/\(media.ids[0])"
            for method in [HTTPRequest.Method.get, .put, .delete] {
                #expect(try await api.send(method, path, as: bob).status == 404)
            }
            #expect(try await api.must(.delete, path, as: ada) == .object([:]))
            #expect(try await api.send(.get, path, as: ada).status == 404)
            #expect(try await api.send(.get, Self.path(media["url"])).status == 404)
            try await api.test.collect()
            #expect(try await api.test.blobs() == 0)
        }
    }

    @Test func quotaCountsMedia() async throws {
        var limits = Limits()
        limits.accountBytes = 2000
        try await WebAPI.run(limits: limits) { api in
            let ada = try await api.person("ada")
            var statuses: [Int] = []
            for seed in 1...30 {
                let body = WebBody.files([("file", SampleMedia.png(UInt8(seed)))])
                statuses.append(try await api.send(.post, "/api/v1/media", as: ada, body).status)
            }
            #expect(statuses.first == 200 && statuses.last == 507, "\(statuses)")
            try await api.test.collect()
            #expect(try await api.test.store.files.bytes(of: try #require(Int64(ada.id))) <= 2000)
        }
    }

    /// Without processing, there is no trace of media.
    @Test func mediaIsRefusedWithoutProcessing() async throws {
        let test = try TestServices(processesMedia: false)
        try await WebAPI.run(test, test.services) { api in
            let ada = try await api.person("ada")
            let body = WebBody.files([("file", SampleMedia.png())])
            #expect(try await api.send(.post, "/api/v1/media", as: ada, body).status == 404)
            let instance = try await api.must(.get, "/api/v2/instance", as: ada)["configuration"]
            #expect(instance?["statuses"]?["max_media_attachments"]?.number == 0)
            #expect(instance?["media_attachments"]?["supported_mime_types"]?.list == [])
        }
    }

    @Test func instanceStatesTheLimits() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for path in ["/api/v1/instance", "/api/v2/instance"] {
                let configuration = try await api.must(.get, path, as: ada)["configuration"]
                #expect(configuration?["statuses"]?["max_media_attachments"]?.number == 4)
                let media = configuration?["media_attachments"]
                let types = media?["supported_mime_types"]?.list?.compactMap(\.text)
                #expect(types?.contains("image/jpeg") == true && types?.contains("video/mp4") == true)
                #expect(media?["image_size_limit"]?.number == 16_777_216)
                #expect(media?["image_matrix_limit"]?.number == 33_000_000)
                #expect(media?["description_limit"]?.number == 1500)
            }
        }
    }
}

extension TestServices {
    /// Removes the blobs that are listed for collection.
    func collect() async throws {
        try await GarbageCollector(blobs: services.blobs, files: services.stores.files).collectReplaced()
    }

    /// The number of stored blobs.
    func blobs() async throws -> Int {
        var count = 0
        for prefix in UInt8.min ... .max { count += try await services.blobs.list(prefix: prefix).count }
        return count
    }

    func temporaryFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.folder.path + "/data/tmp")
    }
}
