import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The plain HTTP port beside TLS.
@Suite(.hangLimit, .enabled(if: TestCertificates.isInstalled, "apt install openssl"))
struct RedirectTests {
    private static func start(
        _ certificates: TestCertificates, _ options: [String] = []
    ) async throws -> (server: ServerProcess, port: Int) {
        let reserved = try ReservedPort()
        let server = try await ServerProcess.start(
            try await certificates.issue().options + ["--redirect-port", "\(reserved.number)"] + options)
        return (server, reserved.number)
    }

    @Test func requestsAreRedirected() async throws {
        let (server, port) = try await Self.start(try await TestCertificates())
        let rows = [
            ("GET", "/", 301), ("HEAD", "/@ada", 301), ("GET", "/tags/a%20b?page=2&x=/", 301),
            ("POST", "/oauth/token", 308),
            ("PUT", "/files/a", 308), ("DELETE", "/files/a", 308), ("GET", "/.well-known/acme-challenge/token", 301),
        ]
        for (method, path, status) in rows {
            let response = try await RawHTTP.send(port: port, method, path)
            #expect(response.status == status, "\(method) \(path)")
            #expect(response.headers["location"] == "https://127.0.0.1:\(server.port)\(path)", "\(response.headers)")
            #expect(response.headers["strict-transport-security"] == nil)
        }
        let invalid = try await RawHTTP.exchange(port: port, Data("GET / HTTP/1.1\r\nHost: a b\r\n\r\n".utf8))
        #expect(try RawHTTP.parse(invalid).status == 400)
        let missing = try await RawHTTP.exchange(port: port, Data("GET / HTTP/1.0\r\n\r\n".utf8))
        #expect(try RawHTTP.parse(missing).status == 400)
        #expect(try await server.stop() == 0)
    }

    @Test func redirectLeadsToTheServer() async throws {
        let certificates = try await TestCertificates()
        let (server, port) = try await Self.start(certificates)
        let done = try await Tool.run(
            "/usr/bin/curl",
            ["-s", "-L", "--max-time", "300", "--cacert", certificates.authority, "http://127.0.0.1:\(port)/health"])
        #expect(done.text == "OK", "\(done.text)")
        try await server.stop()
    }

    @Test func configuredAddressIsUsed() async throws {
        let (server, port) = try await Self.start(
            try await TestCertificates(), ["--base-url", "https://feed.example"])
        let response = try await RawHTTP.send(port: port, "GET", "/a?b", headers: [])
        #expect(response.headers["location"] == "https://feed.example/a?b")
        try await server.stop()
    }

    @Test func challengesAreServed() async throws {
        let certificates = try await TestCertificates()
        let root = certificates.folder.path + "/www"
        let folder = root + "/.well-known/acme-challenge"
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder + "/folder", withIntermediateDirectories: true)
        try Data("token_-1.key".utf8).write(to: URL(fileURLWithPath: folder + "/token_-1"))
        try Data(count: 5000).write(to: URL(fileURLWithPath: folder + "/large"))
        try Data("secret".utf8).write(to: URL(fileURLWithPath: root + "/secret"))
        try manager.createSymbolicLink(atPath: folder + "/link", withDestinationPath: root + "/secret")
        let (server, port) = try await Self.start(certificates, ["--acme-dir", root])
        let path = "/.well-known/acme-challenge/"
        let found = try await RawHTTP.send(port: port, "GET", path + "token_-1")
        #expect(found.status == 200 && found.text == "token_-1.key")
        #expect(found.headers["content-type"]?.hasPrefix("text/plain") == true)
        let head = try await RawHTTP.send(port: port, "HEAD", path + "token_-1")
        #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "12")
        let names = [
            "", "missing", "folder", "large", "link", "..", "../../secret", "..%2F..%2Fsecret", "%2E%2E", "a.b", "a/b",
            "a%00",
            String(repeating: "a", count: 129),
        ]
        for name in names {
            let response = try await RawHTTP.send(port: port, "GET", path + name)
            #expect(response.status == 404 && !response.text.contains("secret"), "\(name): \(response.status)")
        }
        #expect(try await RawHTTP.send(port: port, "POST", path + "token_-1").status == 308)
        #expect(try await RawHTTP.send(port: port, "GET", "/secret").status == 301)
        try await server.stop()
    }
}
