import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A server with `--tls-cert`, as curl sees it over both versions of HTTP.
@Suite(.hangLimit, .enabled(if: TestCertificates.isInstalled, "apt install openssl"))
struct SecureServerTests {
    private static let versions = ["--http1.1", "--http2"]

    private static func curl(
        _ certificates: TestCertificates, _ arguments: [String], input: Data = Data()
    ) async throws -> Finished {
        try await Tool.run(
            "/usr/bin/curl", ["-s", "--max-time", "300", "--cacert", certificates.authority] + arguments, input: input)
    }

    @Test func bothVersionsAreNegotiated() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        for (version, name) in zip(Self.versions, ["1.1", "2"]) {
            let done = try await Self.curl(
                certificates,
                [version, "-i", "-w", "\nversion %{http_version}", server.secureAddress + "/api/v2/instance"])
            #expect(done.text.hasSuffix("version \(name)"), "\(done.text)")
            #expect(done.text.lowercased().contains("strict-transport-security: max-age=31536000"))
            // Links name the address that the client uses.
            #expect(done.text.contains("https://127.0.0.1:\(server.port)/"), "\(done.text)")
        }
        // A client without ALPN gets HTTP/1.1.
        let old = try await Self.curl(
            certificates, ["--no-alpn", "-w", " %{http_version}", server.secureAddress + "/health"])
        #expect(old.text == "OK 1.1", "\(old.text)")
        #expect(try await server.stop() == 0)
    }

    @Test func repeatedRequestsGetTheSameResponse() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        for version in Self.versions {
            let page = server.secureAddress + "/assets/style.css"
            let done = try await Self.curl(certificates, [version, "-i", page, page, page])
            let responses = done.text.components(separatedBy: "HTTP/").dropFirst().map { response in
                response.components(separatedBy: "\r\n").filter { line in
                    !["x-request-id:", "date:"].contains { line.lowercased().hasPrefix($0) }
                }
            }
            #expect(responses.count == 3 && Set(responses).count == 1, "\(version): \(done.text)")
            #expect(done.text.lowercased().contains("strict-transport-security: max-age=31536000"))
        }
        #expect(try await server.stop() == 0)
    }

    @Test func noFieldOccursTwice() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        for version in Self.versions {
            for path in ["/", "/api/v2/instance", "/assets/style.css"] {
                let done = try await Self.curl(certificates, [version, "-i", server.secureAddress + path])
                let head = done.text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n").dropFirst()
                let names = head.map { $0.prefix { $0 != ":" }.lowercased() }
                #expect(Set(names).count == names.count, "\(version) \(path): \(names)")
                #expect(Set(["date", "server", "x-content-type-options", "x-request-id"]).isSubset(of: names))
            }
        }
        #expect(try await server.stop() == 0)
    }

    @Test func readyLineNamesHTTPS() async throws {
        let certificates = try await TestCertificates()
        let folder = try TemporaryFolder()
        let output = try folder.file("out", "")
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Programs.feedserver)
        process.arguments =
            ["serve", "--data", folder.path + "/data", "--port", "0"] + (try await certificates.issue().options)
        process.standardInput = .nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = .nullDevice
        try process.run()
        func line() -> String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
        try await Wait.until("the server listens") { line().hasSuffix("\n") }
        #expect(line().hasPrefix("listening on https://127.0.0.1:"), "\(line())")
        process.terminate()
        try await Wait.until("the server has exited") { !process.isRunning }
    }

    /// Connections beyond the limit are closed without a handshake, and their descriptors are released.
    @Test func refusedConnectionsAreClosed() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options, openFiles: 256)
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.processID)/fd").count
        }
        let before = try descriptors()
        for _ in 0..<5 {
            let held = try HeldConnections(60, port: server.port)
            try await Wait.until("refusals are logged") { server.log.contains("refusing connections") }
            withExtendedLifetime(held) {}
        }
        try await Wait.until("the descriptors are released") { try descriptors() < before + 20 }
        // Some of them may still count for a moment.
        try await Wait.until("a connection is accepted") {
            try await Self.curl(certificates, [server.secureAddress + "/health"]).text == "OK"
        }
    }

    @Test func plainConnectionsGetNoTransportHeader() async throws {
        let server = try await ServerProcess.start()
        let response = try await RawHTTP.send(port: server.port, "GET", "/health")
        #expect(response.status == 200 && response.headers["strict-transport-security"] == nil)
        try await server.stop()
    }

    @Test(arguments: versions) func filesAreTransferred(version: String) async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        let bytes = SampleBytes.make(5_000_003)
        let path = certificates.folder.path + "/large"
        try bytes.write(to: URL(fileURLWithPath: path))
        let address = server.secureAddress + "/files/large"
        let stored = try await Self.curl(
            certificates,
            [version, "-H", "Authorization: Bearer " + token, "-T", path, "-w", "%{http_code}", address])
        #expect(stored.text.hasSuffix("201"), "\(stored.text)\(stored.error)")
        let whole = try await Self.curl(certificates, [version, address])
        #expect(whole.output == bytes, "\(whole.output.count) bytes")
        for range in [0..<1, 1_000_000..<3_000_000, 5_000_000..<5_000_003] {
            let part = try await Self.curl(
                certificates, [version, "-r", "\(range.lowerBound)-\(range.upperBound - 1)", address])
            #expect(part.output == bytes[range], "\(range): \(part.output.count) bytes")
        }
        let head = try await Self.curl(certificates, [version, "-I", address])
        #expect(head.text.lowercased().contains("content-length: 5000003"), "\(head.text)")
        #expect(head.text.contains(" 200"), "\(head.text)")
        try await server.stop()
    }

    /// The response arrives although the client still sends the body; the next request on the connection works.
    @Test(arguments: versions) func refusedUploadIsAnswered(version: String) async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        let path = certificates.folder.path + "/large"
        try SampleBytes.make(8_000_000).write(to: URL(fileURLWithPath: path))
        for expect in ["Expect: 100-continue", "Expect:"] {
            let done = try await Self.curl(
                certificates,
                [
                    version, "-o", "/dev/null", "-w", "%{http_code}", "-H", expect, "-T", path,
                    server.secureAddress + "/files/large",
                ])
            #expect(done.text == "401", "\(done.text)")
        }
        let health = try await Self.curl(certificates, [version, server.secureAddress + "/health"])
        #expect(health.text == "OK")
        try await server.stop()
    }

    @Test func limitsAndLogCountEachRequestOfAConnection() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(
            try await certificates.issue().options + ["--rate-limit", "3"], enforcesRateLimits: true)
        // The window of five minutes must not end between the requests.
        let rest = 300 - Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 300)
        if rest < 60 { try await Task.sleep(for: .seconds(rest + 1)) }
        let addresses = (1...4).map { server.secureAddress + "/api/v1/timelines/public?local=\($0)" }
        let done = try await Self.curl(
            certificates,
            ["--http2", "-w", "%{http_code}:%{num_connects} "] + addresses.flatMap { ["-o", "/dev/null", $0] })
        #expect(done.text == "200:1 200:0 200:0 429:0 ", "\(done.text)")
        func lines() -> Int { server.log.components(separatedBy: "path=/api/v1/timelines/public").count - 1 }
        try await Wait.until("the requests are logged") { lines() >= 4 }
        try await server.stop()
        #expect(lines() == 4 && server.log.contains("from=127.0.0.1"), "\(server.log)")
    }

    @Test func connectionsWithoutTLSAreClosed() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(
            try await certificates.issue().options, environment: ["FEED_TIMEOUT": ""])
        // A handshake that fails, and one that never begins.
        for bytes in ["get / HTTP/1.1\r\nHost: localhost\r\n\r\n", ""] {
            let response = try await RawHTTP.exchange(port: server.port, Data(bytes.utf8))
            #expect(!String(decoding: response, as: UTF8.self).contains("HTTP/1.1"))
        }
        // Plain HTTP is answered, also if more follows.
        let body = Data(repeating: 0x41, count: 10_000)
        for (method, body) in [("GET", nil), ("POST", body)] as [(String, Data?)] {
            let response = try await RawHTTP.send(port: server.port, method, "/", body: body)
            #expect(response.status == 400 && response.text.contains("begins with https://"), "\(response.text)")
            #expect(response.isComplete && response.headers["connection"] == "close", "\(response.headers)")
        }
        // On a busy machine, a handshake may take longer than the limit.
        try await Wait.until("a connection is served") {
            try await Self.curl(certificates, [server.secureAddress + "/health"]).text == "OK"
        }
        #expect(try await server.stop() == 0)
    }

    @Test func oldVersionsOfTLSAreRefused() async throws {
        let certificates = try await TestCertificates()
        let server = try await ServerProcess.start(try await certificates.issue().options)
        let old = try await Self.curl(
            certificates,
            ["--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0", server.secureAddress + "/health"])
        #expect(old.code == 35, "\(old.text)")
        let supported = try await Self.curl(certificates, ["--tls-max", "1.2", server.secureAddress + "/health"])
        #expect(supported.text == "OK")
        try await server.stop()
    }
}
