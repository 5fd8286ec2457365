import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// The pages of files and of scheduled posts.
@Suite(.hangLimit)
struct FilesPageTests {
    private static func file(_ name: String, _ content: String, field: String = "file") -> WebBody {
        let head = "Content-Disposition: form-data; name=\"\(field)\"; filename=\"\(name)\""
        return WebBody(
            type: "multipart/form-data; boundary=B",
            bytes: Data("--B\r\n\(head)\r\nContent-Type: text/plain\r\n\r\n\(content)\r\n--B--\r\n".utf8))
    }

    private static func names(_ page: WebResponse) -> [String] {
        page.text.matches(of: /class="row-title"><a href="[^"]*"><bdi>([^<]*)</).map { String($0.1) }
    }

    @Test func filesAreUploadedFoundReplacedAndDeleted() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for name in ["a_b.txt", "aXb.txt", "Notes 100%.txt"] {
                let stored = try await api.send(.post, "/settings/files", as: ada, Self.file(name, "one"))
                #expect(stored.status == 303 && stored.headers[.location] == "/settings/files?saved", "\(name)")
            }
            let page = try await api.send(.get, "/settings/files", as: ada)
            #expect(Self.names(page) == ["Notes 100%.txt", "aXb.txt", "a_b.txt"])
            #expect(
                page.text.contains("3 bytes, text/plain") && page.text.contains("/settings/files/Notes%20100%25.txt"))
            let searches = [
                ("a_b", ["a_b.txt"]), ("NOTES", ["Notes 100%.txt"]), ("0%25", ["Notes 100%.txt"]), ("zz", []),
            ]
            for (part, found) in searches {
                #expect(try await Self.names(api.send(.get, "/settings/files?q=" + part, as: ada)) == found, "\(part)")
            }
            let path = "/settings/files/a_b.txt"
            let shown = try await api.send(.get, path, as: ada).text
            for part in ["/replace\"", "/delete\"", "/attach\"", "href=\"/files/a_b.txt\""] {
                #expect(shown.contains(part), "\(part)")
            }
            // The name in the form does not matter.
            let replaced = try await api.send(.post, path + "/replace", as: ada, Self.file("other.bin", "two"))
            #expect(replaced.status == 303 && replaced.headers[.location] == path + "?saved")
            #expect(try await api.send(.get, "/files/a_b.txt").text == "two")
            #expect(try await api.send(.get, "/files/other.bin").status == 404)
            let empty = try await api.send(.post, path + "/replace", as: ada, Self.file("", ""))
            #expect(empty.status == 422 && empty.text.contains("Choose a file"))
            #expect(try await api.send(.post, path + "/delete", as: ada, .form("")).status == 303)
            #expect(try await api.send(.get, "/files/a_b.txt").status == 404)
            #expect(try api.test.temporaryFiles() == [])
        }
    }

    @Test(
        arguments: [
            (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (1075, "1.0 KiB"), (1076, "1.1 KiB"),
            (20_000_000, "19.1 MiB"), (1 << 30, "1.0 GiB"), (1 << 40, "1.0 TiB"), (5 << 50, "5120.0 TiB"),
        ] as [(Int64, String)])
    func sizesAreRounded(bytes: Int64, shown: String) {
        #expect(FileSize.text(bytes, PageLanguage.english.text) == shown)
    }

    @Test func filesOfOthersAreNotFound() async throws {
        try await WebAPI.run { api in
            let (ada, root) = (try await api.person("ada"), try await api.admin("root"))
            _ = try await api.send(.post, "/settings/files", as: ada, Self.file("a.txt", "one"))
            #expect(try await Self.names(api.send(.get, "/settings/files", as: root)) == [])
            #expect(try await api.send(.get, "/settings/files/a.txt", as: root).status == 404)
            for verb in ["delete", "attach"] {
                let path = "/settings/files/a.txt/" + verb
                #expect(try await api.send(.post, path, as: root, .form("")).status == 404, "\(verb)")
            }
            let replacing = try await api.send(
                .post, "/settings/files/a.txt/replace", as: root, Self.file("a.txt", "two"))
            #expect(replacing.status == 404)
            #expect(try await api.send(.get, "/files/a.txt").text == "one")
        }
    }

    /// A file may be replaced by one for which there would be no room beside it.
    @Test func refusedUploadsAreExplainedAndReplacementsNeedNoSpareQuota() async throws {
        var limits = Limits()
        (limits.fileBytes, limits.accountBytes) = (10_000, 1500)
        try await WebAPI.run(limits: limits) { api in
            let ada = try await api.person("ada")
            let text = String(repeating: "x", count: 1000)
            #expect(try await api.send(.post, "/settings/files", as: ada, Self.file("a.txt", text)).status == 303)
            let refused = try await api.send(.post, "/settings/files", as: ada, Self.file("b.txt", text))
            #expect(refused.status == 507 && refused.text.contains("id=\"field-0-0-message\" role=\"alert\""))
            let nothing = try await api.send(.post, "/settings/files", as: ada, Self.file("", ""))
            #expect(nothing.status == 400 && nothing.text.contains("id=\"field-0-0-message\""))
            let replaced = try await api.send(
                .post, "/settings/files/a.txt/replace", as: ada, Self.file("a.txt", text + "y"))
            #expect(replaced.status == 303, "\(replaced.summary)")
            #expect(try await api.send(.get, "/files/a.txt").text == text + "y")
        }
    }

    /// A browser shows a page only after it has sent the whole form, and a reset connection instead of the reason if it
    /// cannot.
    @Test(arguments: [true, false]) func aLargeRefusedFormIsReadToItsEnd(hasLength: Bool) async throws {
        var limits = Limits()
        limits.accountBytes = 1000
        let test = try TestServices(limits: limits)
        let (_, token) = try await test.account("ada")
        try await LiveServer.run(ConnectionLimits(), test, test.services) { server in
            let form = Self.file("a.bin", String(repeating: "x", count: 8 << 20))
            let size = form.bytes.count
            let head = """
                POST /settings/files HTTP/1.1\r\nHost: feed.test\r\nAuthorization: Bearer \(token)\r\n\
                Content-Type: \(form.type)\r\n\(hasLength ? "Content-Length: \(size)" : "Transfer-Encoding: chunked")\r\n\r\n
                """
            let (start, end) = hasLength ? ("", "") : (String(size, radix: 16) + "\r\n", "\r\n0\r\n\r\n")
            let next = "GET /health HTTP/1.1\r\nHost: feed.test\r\nConnection: close\r\n\r\n"
            let request = Data((head + start).utf8) + form.bytes + Data((end + next).utf8)
            let connection = try RawConnection(port: server.port)
            #expect(try await connection.write(request) == request.count)
            let responses = try await connection.responses()
            #expect(responses.map(\.status) == [507, 200])
            #expect(responses.first?.text.contains("field-0-0-message") == true)
        }
    }

    @Test func storedPictureIsAttachedToANewPost() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            let picture = WebBody.files([("file", SampleMedia.png(1))])
            #expect(try await api.send(.post, "/settings/files", as: ada, picture).status == 303)
            let path = "/settings/files/secret%20name.png/attach"
            let attached = try await api.send(.post, path, as: ada, .form(""))
            let location = try #require(attached.headers[.location], "\(attached.summary)")
            #expect(attached.status == 303 && location.hasPrefix("/compose?media_ids="))
            let form = try await api.send(.get, location, as: ada).text
            let id = try #require(location.split(whereSeparator: { $0 == "=" }).last)
            #expect(form.contains("name=\"media_ids[]\" value=\"\(id)\"") && form.contains("attachment-preview"))
            #expect(try await api.send(.get, "/files/secret%20name.png").status == 200)
        }
    }

    @Test func scheduledPostIsMovedAndDeleted() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("bob"))
            let zone = WebBody.form("source[privacy]=public&time_zone=Asia%2FTokyo")
            #expect(try await api.send(.post, "/settings/preferences", as: ada, zone).status == 303)
            let form = WebBody.form("status=later+%3Cb%3E&scheduled_at=2099-01-01T00:00:00Z")
            let id = try #require(try await api.must(.post, "/api/v1/statuses", as: ada, form)["id"]?.text)
            let path = "/settings/scheduled/" + id
            let list = try await api.send(.get, "/settings/scheduled", as: ada).text
            #expect(list.contains("1 Jan 2099, 09:00 UTC+9") && list.contains("later &lt;b&gt;"))
            #expect(try await api.send(.get, path, as: ada).text.contains("value=\"2099-01-01T09:00\""))
            for (time, word) in [("1999-01-01T00:00", "in the future"), ("soon", "must be a time"), ("", "Enter")] {
                let refused = try await api.send(.post, path, as: ada, .form("scheduled_at=" + time))
                #expect(refused.status == 422 && refused.text.contains(word), "\(time)")
                #expect(refused.text.contains("id=\"field-0-0-message\""), "\(time)")
            }
            for verb in ["", "/delete"] {
                let foreign = try await api.send(.post, path + verb, as: bob, .form("scheduled_at=2098-01-01T00:00"))
                #expect(foreign.status == 404, "\(verb)")
            }
            let moved = try await api.send(.post, path, as: ada, .form("scheduled_at=2098-01-01T09:30"))
            #expect(moved.status == 303 && moved.headers[.location] == "/settings/scheduled")
            let stored = try await api.must(.get, "/api/v1/scheduled_statuses/" + id, as: ada)
            #expect(stored["scheduled_at"]?.text == "2098-01-01T00:30:00.000Z")
            #expect(try await api.send(.post, path + "/delete", as: ada, .form("")).status == 303)
            #expect(try await api.send(.get, path, as: ada).status == 404)
        }
    }
}
