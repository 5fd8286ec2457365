import FeedTestSupport
import Foundation
import TestKit
import Testing

/// nginx and Caddy in front of the server, with the configurations of `Docs/operating.md`.
@Suite(.hangLimit, .serialized)
struct ReverseProxyTests {
    /// The first code block of a language in the guide.
    private static func block(_ language: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(contentsOf: root.appendingPathComponent("Docs/operating.md"), encoding: .utf8)
        let parts = guide.components(separatedBy: "```\(language)\n")
        return try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    }

    static func nginx(_ server: ServerProcess) throws -> ForeignServer {
        let block = try block("nginx").replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.port)")
        return .nginx { block.replacing("listen 80;", with: "listen 127.0.0.1:\($0.port);") }
    }

    private static func caddy(_ server: ServerProcess) throws -> ForeignServer {
        let block = try block("caddy").replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.port)")
        return ForeignServer(
            program: "caddy", resumes: true,
            arguments: { ["run", "--config", $0.configuration, "--adapter", "caddyfile"] },
            configuration: { place in
                "{\n admin off\n auto_https off\n}\n"
                    + block.replacing("feed.example", with: "http://127.0.0.1:\(place.port)")
            })
    }

    private static func check(_ proxy: (ServerProcess) throws -> ForeignServer) async throws {
        let server = try await ServerProcess.start(
            ["--trusted-proxy", "127.0.0.1", "--rate-limit", "3"], enforcesRateLimits: true)
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        let proxy = try proxy(server)
        try await proxy.serving { place in
            for host in 2...11 { try await checkLimit(of: host, at: place) }
            let link = try await curl(
                "-H", "Authorization: Bearer " + token, place.address + "/api/v1/accounts/verify_credentials")
            #expect(link.contains("\"url\":\"\(place.address)/@ada\""), "\(link)")
            try await transfer(through: place, token: token)
        }
        try await Wait.until("the address of a client is logged") { server.log.contains("from=127.0.0.11") }
        try await server.stop()
    }

    /// Each address has its own limit, and a visitor cannot claim another address.
    private static func checkLimit(of host: Int, at place: ForeignServer.Place) async throws {
        // If the five minutes in which requests are counted end meanwhile, an address that has sent nothing yet starts
        // anew.
        for address in (0..<10).map({ "127.0.\($0).\(host)" }) {
            var codes: [String] = []
            let window = Self.window
            for number in 1...4 {
                codes.append(
                    try await curl(
                        "--interface", address, "-H", "X-Forwarded-For: 198.51.100.\(number)", "-o", "/dev/null",
                        "-w", "%{http_code}", place.address + "/api/v1/timelines/public"))
            }
            guard Self.window == window else { continue }
            #expect(codes == ["200", "200", "200", "429"], "\(address)")
            return
        }
        Issue.record("four requests always took longer than the five minutes in which they are counted")
    }

    /// The number of the five minutes in which requests are counted now.
    private static var window: Int { Int(Date().timeIntervalSince1970) / 300 }

    /// Uploads a large file and downloads it in ranges.
    private static func transfer(through place: ForeignServer.Place, token: String) async throws {
        let size = Soak.rounds(64, soaking: 1024) << 20
        let path = place.folder + "/large"
        _ = try await Tool.run("/bin/sh", ["-c", "head -c \(size) /dev/urandom > \(path)"])
        let authorization = ["-H", "Authorization: Bearer " + token]
        let stored = try await curl(authorization + ["-T", path, "-w", "%{http_code}", place.address + "/files/large"])
        #expect(stored.hasSuffix("201"), "\(stored)")
        let home = try ClientHome()
        let done = try await home.run(
            "download", place.address + "/files/large", "--output", place.folder + "/copy", "--connections", "4")
        #expect(done.code == 0, "\(done.error)")
        let compared = try await Tool.run("/usr/bin/cmp", [path, place.folder + "/copy"])
        #expect(compared.code == 0, "\(compared.text)")
    }

    private static func curl(_ arguments: String...) async throws -> String { try await curl(arguments) }

    private static func curl(_ arguments: [String]) async throws -> String {
        try await Tool.run("/usr/bin/curl", ["-s", "--max-time", "300"] + arguments).text
    }

    @Test(.enabled(if: ForeignServer.isInstalled("nginx"), "apt install nginx"))
    func nginxNamesItsClients() async throws { try await Self.check(Self.nginx) }

    @Test(.enabled(if: ForeignServer.isInstalled("caddy"), "apt install caddy"))
    func caddyNamesItsClients() async throws { try await Self.check(Self.caddy) }

    /// Without the option, the header is ignored, and one log line names the option.
    @Test func untrustedProxyIsReportedOnce() async throws {
        let server = try await ServerProcess.start()
        for _ in 0..<2 {
            _ = try await RawHTTP.send(
                port: server.port, "GET", "/health", headers: ["X-Forwarded-For: 203.0.113.7"])
        }
        try await Wait.until("the proxy is reported") { server.log.contains("add --trusted-proxy") }
        try await server.stop()
        let log = server.log
        #expect(log.components(separatedBy: "add --trusted-proxy").count == 2, "\(log)")
        #expect(!log.contains("203.0.113.7"))
    }

    @Test(arguments: [
        ["--trusted-proxy", "10.0.0.0/99"], ["--trusted-proxy", "feed.example"], ["--proxy-header", "via"],
    ])
    func invalidOptionsAreRejected(arguments: [String]) async throws {
        let done = try await Tool.run(Programs.feedserver, ["serve", "--data", "/nonexistent"] + arguments)
        #expect(done.code == 64 && done.error.contains(arguments[0]), "\(done.error)")
    }
}
