import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// Responses of a hostile server: `feedclient` fails with a message and the right exit code, in bounded memory, and
/// passes nothing on to the terminal.
@Suite(.hangLimit, .enabled(if: MeasuredClient.isInstalled, "apt install python3"))
struct HostileServerTests {
    /// Including the program. All endless responses have at least this size, most of them much more.
    private static let maximumMemory = 256 << 20

    private static let verified = FaultResponse.text(#"{"id":"1","username":"ada","acct":"ada","display_name":"Ada"}"#)

    /// Runs commands against a server that responds to the login as usual.
    /// - Parameter respond: Receives the path of any other request.
    private static func with<Value>(
        _ respond: @escaping @Sendable (String) -> FaultResponse,
        _ test: (CannedServer, ClientHome) async throws -> Value
    ) async throws -> Value {
        let server = try CannedServer { request in
            request.path.hasSuffix("/verify_credentials") ? Self.verified : respond(request.path)
        }
        defer { server.close() }
        return try await test(server, try await GoldenFeed.login(server))
    }

    // MARK: Responses of the API

    private static let commands = [
        ["timeline"], ["show", "7777"], ["show", "7777", "--thread"], ["user", "@ada"], ["notifications"],
        ["search", "x"],
        ["files"], ["lists"],
    ]

    private static let attacks: [(response: FaultResponse, words: String)] = [
        (HostileResponse.endless(), "larger than 16777216 bytes"),
        (HostileResponse.enormous, "larger than 16777216 bytes"),
        (HostileResponse.bomb(), "larger than 16777216 bytes"), (HostileResponse.deep, "could not be understood"),
        (HostileResponse.wide, "could not be understood"),
        (HostileResponse.redirect("file:///etc/passwd"), "redirects to file:///etc/passwd"),
        (HostileResponse.redirect("http://127.0.0.1/\u{9B}31m"), "redirects to http://127.0.0.1/31m"),
    ]

    @Test(arguments: commands, attacks.indices)
    func responsesAreBounded(_ command: [String], attack: Int) async throws {
        let (response, words) = Self.attacks[attack]
        try await Self.with({ _ in response }) { _, home in
            let (done, memory) = try await MeasuredClient.run(home, command)
            #expect(done.code == 1 && done.text.isEmpty && done.error.contains(words), "\(done.code) \(done.error)")
            #expect(memory < Self.maximumMemory, "\(memory >> 20) MiB")
            Self.checkControls(done.error)
        }
    }

    /// The credential is for one server only.
    @Test(arguments: commands) func redirectsAreNotFollowed(_ command: [String]) async throws {
        let other = try CannedServer { _ in .text("[]") }
        defer { other.close() }
        for target in [
            other.address + "/x", "/api/v1/elsewhere", "ftp://127.0.0.1/x", "//127.0.0.1:\(other.port)/x", "",
        ] {
            try await Self.with({ _ in HostileResponse.redirect(target) }) { server, home in
                let known = server.paths.count
                let done = try await MeasuredClient.run(home, command).done
                #expect(done.code == 1 && done.error.contains("responded with 302"), "\(done.error)")
                #expect(server.paths.count == known + 1, "\(server.paths)")
            }
        }
        #expect(other.paths.isEmpty)
    }

    @Test(arguments: [(404, 3), (401, 4), (500, 5), (503, 75), (400, 1)] as [(Int, Int32)])
    func endlessErrorsHaveTheirExitCodes(status: Int, code: Int32) async throws {
        try await Self.with({ _ in HostileResponse.endless(status: status, #"{"error":"x"#) }) { _, home in
            let (done, memory) = try await MeasuredClient.run(home, ["timeline"])
            #expect(done.code == code && done.error.contains("responded with \(status)"), "\(done.code) \(done.error)")
            #expect(memory < Self.maximumMemory, "\(memory >> 20) MiB")
        }
    }

    // MARK: Links

    private static let status =
        #"{"id":"5","created_at":"2026-01-01T00:00:00.000Z","visibility":"public","spoiler_text":"","content":"word","#
        + #""account":{"id":"1","username":"ada","acct":"ada","display_name":""},"mentions":[],"tags":[]}"#

    @Test func repeatedPagesEndALoop() async throws {
        try await Self.with({ path in
            HostileResponse.page(path.hasPrefix("/api/v1/timelines") ? "[\(Self.status)]" : "[]", next: "5")
        }) { server, home in
            let done = try await home.run("timeline", "-n", "1000")
            #expect(done.code == 0 && done.text.contains("word"), "\(done.error)")
            #expect(server.paths.filter { $0.hasPrefix("/api/v1/timelines") }.count == 2, "\(server.paths)")
        }
    }

    /// Each page links to one that has not been read.
    @Test(arguments: [["timeline"], ["notifications"], ["notifications", "--json"], ["search", "x"]])
    func emptyPagesEnd(_ command: [String]) async throws {
        let pages = Counter()
        try await Self.with({ path in
            let groups = #"{"accounts":[],"statuses":[],"notification_groups":[]}"#
            return HostileResponse.page(path.hasPrefix("/api/v2") ? groups : "[]", next: "\(pages.next())")
        }) { server, home in
            let (done, memory) = try await MeasuredClient.run(home, command)
            #expect(done.code == 0 && done.text.isEmpty, "\(done.error)")
            #expect(server.paths.count < 1100)
            #expect(memory < Self.maximumMemory, "\(memory >> 20) MiB")
        }
    }

    // MARK: Text

    /// Every string of every entity contains control characters.
    @Test(arguments: [
        ["timeline"], ["timeline", "--json"], ["show", "2020"], ["show", "2020", "--thread"], ["notifications"],
        ["user", "x"], ["user", "x", "--json"],
    ])
    func controlCharactersAreRemoved(_ command: [String]) async throws {
        let feed = try GoldenFeed.start(changing: { $0 + HostileResponse.controls })
        defer { feed.close() }
        let home = try await GoldenFeed.login(feed)
        let done = try await Tool.run(Programs.feedclient, command, environment: home.environment)
        #expect(done.code == 0 && done.text.contains("red"), "\(done.error)")
        Self.checkControls(done.text)
        Self.checkControls(done.error)
    }

    /// Line breaks aside, no character remains that controls a terminal.
    private static func checkControls(_ text: String) {
        let found = text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        #expect(found.isEmpty, "\(found.map(\.value))")
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("hint: run evil") })
    }

    @Test(arguments: [(401, 4), (404, 3), (422, 1), (503, 75)] as [(Int, Int32)])
    func controlCharactersOfErrorsAreRemoved(status: Int, code: Int32) async throws {
        let entity = try JSONSerialization.data(withJSONObject: [
            "error": HostileResponse.controls, "error_description": HostileResponse.controls,
        ])
        let response = FaultResponse.text(String(decoding: entity, as: UTF8.self), status: status)
        try await Self.with({ _ in response }) { _, home in
            let done = try await home.run("timeline")
            #expect(done.code == code && done.error.contains("red"), "\(done.error)")
            Self.checkControls(done.error)
        }
    }

    // MARK: Pictures, streams and files

    private static let pictures: [FaultResponse] = [
        HostileResponse.endless(type: "image/gif", "GIF89a"), HostileResponse.bomb(type: "image/png"),
        HostileResponse.enormous, HostileResponse.redirect("file:///etc/passwd"), HostileResponse.redirect("/again"),
        HostileResponse.redirect("ftp://127.0.0.1/"), .text("<svg onload='x'/>", [("Content-Type", "image/svg+xml")]),
    ]

    /// The description remains.
    @Test(arguments: pictures.indices) func picturesAreLeftOut(_ index: Int) async throws {
        let feed = try GoldenFeed.start(picture: Self.pictures[index])
        defer { feed.close() }
        let home = try await GoldenFeed.login(feed)
        let (done, memory) = try await MeasuredClient.run(home, ["show", "3030", "--images", "blocks"])
        #expect(done.code == 0 && done.text.contains("A red boat") && !done.text.contains("▀"), "\(done.error)")
        #expect(memory < Self.maximumMemory, "\(memory >> 20) MiB")
        #expect(feed.paths.filter { $0.hasPrefix("/picture") || $0 == "/again" }.count <= 5, "\(feed.paths)")
    }

    /// The stream breaks off at a line without an end; afterwards, the server refuses everything.
    @Test func endlessEventEndsTheStream() async throws {
        let (streams, pages) = (Counter(), Counter())
        try await Self.with({ path in
            let refusal = FaultResponse.text(#"{"error":"x"}"#, status: 401)
            if path.hasPrefix("/api/v1/streaming") {
                return streams.next() > 1 ? refusal : HostileResponse.endless(type: "text/event-stream", "data: ")
            }
            return path.hasPrefix("/api/v1/timelines") && pages.next() == 1 ? .text("[]") : refusal
        }) { _, home in
            let (done, memory) = try await MeasuredClient.run(home, ["timeline", "--follow"])
            #expect(done.code == 4 && done.text.isEmpty, "\(done.code) \(done.error)")
            #expect(memory < Self.maximumMemory, "\(memory >> 20) MiB")
        }
    }

    /// An endless file ends when the disk is full; one that is compressed would not be the requested one.
    @Test(arguments: [false, true]) func downloadsAreBounded(isBomb: Bool) async throws {
        let response = isBomb ? HostileResponse.bomb() : HostileResponse.endless()
        let server = try CannedServer { _ in response }
        defer { server.close() }
        let (done, memory) = try await MeasuredClient.run(try ClientHome(), ["download", server.address + "/file.bin"])
        #expect([7, 8].contains(done.code) && done.error.contains("error: "), "\(done.code) \(done.error)")
        #expect(memory < Self.maximumMemory, "\(memory >> 20) MiB")
    }
}

/// Counts requests.
private final class Counter: Sendable {
    private let count = Atomic(0)

    /// 1 for the first call.
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
