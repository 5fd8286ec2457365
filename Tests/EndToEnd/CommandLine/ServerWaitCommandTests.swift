import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// What a terminal shows while the server has not answered. The server answers when the test has seen it, so that no
/// machine is too slow.
@Suite(.hangLimit)
struct ServerWaitCommandTests {
    /// A server whose timelines wait for the test.
    private final class Server: Sendable {
        private struct State {
            var isOpen = true
            var text = "the first"
        }

        private let state = Mutex(State())

        /// Holds back the timelines from now on, and changes what they contain.
        func hold(_ text: String) { state.withLock { $0 = State(isOpen: false, text: text) } }

        func release() { state.withLock { $0.isOpen = true } }

        @Sendable func respond(_ request: FaultRequest) -> FaultResponse {
            guard request.path.hasPrefix("/api/v1/timelines/") else {
                return request.path.hasPrefix("/api/v1/accounts/verify_credentials")
                    ? .text(Self.account) : .text(#"{"error":"Record not found"}"#, status: 404)
            }
            while !state.withLock({ $0.isOpen }) { usleep(5000) }
            let text = state.withLock { $0.text }
            return .text("[\(Self.status("112233445566778801", text))]")
        }

        private static let account = #"{"id":"1","username":"ada","acct":"ada","display_name":"Ada"}"#

        private static func status(_ id: String, _ text: String) -> String {
            #"{"id":"\#(id)","created_at":"2026-01-01T00:00:00.000Z","account":\#(account),"#
                + #""content":"<p>\#(text)</p>","visibility":"public","spoiler_text":"","mentions":[],"tags":[]}"#
        }
    }

    /// `feedclient timeline public`, with a terminal as its output and its errors.
    private final class Session: Sendable {
        private let terminal: PseudoTerminal
        private let process = ChildProcess()
        private let text = Mutex("")

        init(_ home: ClientHome, _ server: CannedServer, _ limits: [String: String] = [:]) throws {
            terminal = try PseudoTerminal()
            process.executableURL = URL(fileURLWithPath: Programs.feedclient)
            process.arguments = ["timeline", "public", "--server", server.address]
            process.environment = ProcessInfo.processInfo.environment.merging(home.environment) { _, new in new }
                .merging(["TERM": "xterm", "LINES": "500"]) { _, new in new }
                .merging(limits) { _, new in new }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = terminal.handle
            process.standardError = terminal.handle
            try process.run()
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        /// What has been shown so far.
        func shown() -> String {
            let new = String(decoding: terminal.output(), as: UTF8.self)
            return text.withLock { text in
                text += new
                return text
            }
        }

        func waitFor(_ part: String) async throws {
            try await Wait.until("the terminal shows \(part)") { shown().contains(part) || !process.isRunning }
            #expect(shown().contains(part), "\(shown())")
        }

        /// - Returns: What has been shown until the end.
        func end() async throws -> String {
            try await Wait.until("the program has ended") {
                _ = shown()
                return !process.isRunning
            }
            return shown()
        }
    }

    private static func serving(_ test: (Server, CannedServer) async throws -> Void) async throws {
        let server = Server()
        let canned = try CannedServer(server.respond)
        defer {
            server.release()
            canned.close()
        }
        try await test(server, canned)
    }

    /// The first time, there is nothing else to show, however long the server takes.
    @Test func waitIsAnnouncedUntilTheServerAnswers() async throws {
        try await Self.serving { server, canned in
            server.hold("the first")
            let session = try Session(try ClientHome(), canned)
            try await session.waitFor("asking 127.0.0.1:\(canned.port)…")
            #expect(!session.shown().contains("the first"))
            server.release()
            let shown = try await session.end()
            let announced = try #require(shown.range(of: "asking "))
            let erased = try #require(shown.range(of: "\r\u{1B}[K", range: announced.upperBound..<shown.endIndex))
            #expect(shown[erased.upperBound...].contains("the first"), "\(shown)")
        }
    }

    /// What is stored is shown instead of waiting; what arrives later is not printed below it.
    @Test func storedStatusesAreShownInsteadOfWaiting() async throws {
        try await Self.serving { server, canned in
            let home = try ClientHome()
            let first = try Session(home, canned)
            #expect(try await first.end().contains("the first"))
            server.hold("the second")
            // The wait ends as soon as it does for users.
            let session = try Session(home, canned, ["FEED_TIMEOUT": ""])
            for part in ["asking ", "as of ", "because 127.0.0.1:\(canned.port) has not answered", "the first"] {
                try await session.waitFor(part)
            }
            server.release()
            #expect(try await session.end().contains("the second") == false)
        }
    }

    /// No request is needed.
    @Test func offlineDoesNotWaitForTheServer() async throws {
        try await Self.serving { server, canned in
            let home = try ClientHome()
            #expect(try await home.run("timeline", "public", "--server", canned.address).text.contains("the first"))
            server.hold("the second")
            let count = canned.paths.count
            let done = try await home.run("timeline", "public", "--server", canned.address, "--offline")
            #expect(done.code == 0 && done.text.contains("the first") && done.error.contains("as of "), "\(done)")
            #expect(canned.paths.count == count)
        }
    }
}
