import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit, .serialized, .fileServer("--allow-anonymous-uploads"))
struct OwnershipTests {
    @Test func fileBelongsToItsCreator() async throws {
        let server = try FileServer.here()
        try await server.store("mine.txt", Written.old)
        for other in [server.eve, server.root] {
            let response = try await server.put("mine.txt", Written.new, as: other)
            #expect(response.status == 403 && response.text.contains("\"error\""))
        }
        #expect(try await server.delete("mine.txt", as: server.eve).status == 403)
        // An account that may not change a file cannot learn anything about its state.
        #expect(try await server.put("mine.txt", Written.new, ["If-Match: \"X\""], as: server.eve).status == 403)
        #expect(try await server.delete("mine.txt", ["If-Match: \"X\""], as: server.eve).status == 403)
        #expect(try await server.get("mine.txt").body == Written.old)
        #expect(try await server.delete("mine.txt", as: server.root).status == 204)
        #expect(try await server.get("mine.txt").status == 404)
        // The name is then free.
        #expect(try await server.put("mine.txt", Written.new, as: server.eve).status == 201)
        #expect(try await server.delete("mine.txt").status == 403)
    }

    @Test func anonymousUploadHasNoOwner() async throws {
        let server = try FileServer.here()
        let body = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"anyone.txt\"\r\n\r\nold\r\n--B--\r\n"
        let upload = try await RawHTTP.send(
            port: server.port, "POST", "/FileUpload.aspx", headers: ["Content-Type: multipart/form-data; boundary=B"],
            body: Data(body.utf8))
        #expect(upload.status == 200)
        for person in [server.ada, server.root] {
            #expect(try await server.put("anyone.txt", Written.new, as: person).status == 403)
        }
        #expect(try await server.delete("anyone.txt").status == 403)
        #expect(try await server.get("anyone.txt").body == Written.old)
        #expect(try await server.delete("anyone.txt", as: server.root).status == 204)
    }

    @Test func writingRequiresATokenWithTheScope() async throws {
        let server = try FileServer.here()
        try await server.store("kept.txt", Written.old)
        let reader = try await server.process.token("ada", scopes: "read")
        for (token, status) in [("nonsense", 401), (reader, 403)] {
            #expect(try await server.put("kept.txt", Written.new, as: token).status == status)
            #expect(try await server.delete("kept.txt", as: token).status == status)
        }
        for method in ["PUT", "DELETE"] {
            let response = try await RawHTTP.send(port: server.port, method, "/files/kept.txt", body: Data())
            #expect(response.status == 401 && response.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        }
        #expect(try await server.get("kept.txt").body == Written.old)
    }

    @Test func unsupportedMethodGetsTheAllowedOnes() async throws {
        let server = try FileServer.here()
        let response = try await RawHTTP.send(port: server.port, "PATCH", "/files/kept.txt", body: Data())
        #expect(response.status == 405)
        let allowed = response.headers["allow"]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        for method in ["DELETE", "GET", "HEAD", "PUT"] { #expect(allowed?.contains(method) == true, "\(method)") }
    }

    /// Names are NFC on every route, and a single path segment.
    @Test func namesAreNormalized() async throws {
        let server = try FileServer.here()
        #expect(try await server.put("e\u{301}.txt", Written.old).status == 201)
        #expect(try await server.put("\u{E9}.txt", Written.new).status == 204)
        #expect(try await server.get("e\u{301}.txt").body == Written.new)
        #expect(try await server.list().contains { Array($0.name.utf8) == Array("\u{E9}.txt".utf8) })
        #expect(try await server.delete("e\u{301}.txt").status == 204)
        #expect(try await server.get("\u{E9}.txt").status == 404)
        let long = String(repeating: "n", count: 256)
        for name in [".hidden", ".", "..", "a/b", "a\\b", "a\u{0}b", "a\r\nb", "\u{202E}a", "a\u{FEFF}", long] {
            #expect(try await server.put(name, Written.new).status == 400, "\(name.debugDescription)")
            #expect(try await server.delete(name).status == 400, "\(name.debugDescription)")
        }
        for path in ["/files/%FF", "/files/%", "/files/%zz"] {
            let response = try await RawHTTP.send(
                port: server.port, "PUT", path, headers: [FileServer.authorization(server.ada)], body: Data())
            #expect(response.status == 400, "\(path)")
        }
    }
}
