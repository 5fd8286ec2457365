import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The terminal is given back however the reader ends.
@Suite(.hangLimit, .enabled(if: TmuxPane.isInstalled, "apt install tmux"))
struct ReaderEndTests {
    private static let environment = ["FEEDCLIENT_SERVER": "http://127.0.0.1:1"]

    /// Opens the reader, which needs no server for this.
    private func use(_ more: [String: String] = [:], _ body: (TmuxReader) async throws -> Void) async throws {
        let environment = Self.environment.merging(more) { $1 }
        try await TmuxReader.use(try ClientHome(), ["tui"], environment) { reader in
            try await reader.shows("Public")
            try await body(reader)
        }
    }

    @Test(
        arguments: [
            (SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130), (SIGQUIT, 131), (SIGABRT, 134), (SIGSEGV, 139), (SIGILL, 132),
            (SIGTRAP, 133),
        ] as [(Int32, Int32)])
    func aSignalRestoresTheTerminal(signal: Int32, code: Int32) async throws {
        try await use { reader in
            try reader.kill(signal)
            let end = try await reader.ended()
            #expect(end.code == code && end.isRestored)
            #expect(try await !reader.screen().contains("Public"))
        }
    }

    @Test func controlCQuits() async throws {
        try await use { reader in
            try await reader.press("C-c")
            let end = try await reader.ended()
            #expect(end.code == 0 && end.isRestored)
        }
    }

    @Test func theReaderIsStoppedAndContinues() async throws {
        try await use { reader in
            try await reader.press("C-z")
            try await reader.shows("STOPPED")
            #expect(try reader.isRestored("stopped"))
            #expect(try await !reader.screen().contains("Public"))
            try await reader.press("Enter")
            try await reader.shows("Public")
            try await reader.hides("STOPPED")
            try await reader.press("q")
            let end = try await reader.ended()
            #expect(end.code == 0 && end.isRestored)
        }
    }

    /// As `kill %1` and `fg` do.
    @Test func aSignalEndsTheStoppedReaderWhenItContinues() async throws {
        try await use { reader in
            try await reader.press("C-z")
            try await reader.shows("STOPPED")
            try reader.kill(SIGTERM)
            try await reader.press("Enter")
            let end = try await reader.ended()
            #expect(end.code == 128 + SIGTERM && end.isRestored)
        }
    }

    @Test func theReaderHasTheSizeThatTheTerminalGotMeanwhile() async throws {
        try await use { reader in
            try await reader.press("C-z")
            try await reader.shows("STOPPED")
            try await reader.resize(columns: 120, rows: 30)
            try await reader.press("Enter")
            // It divides the panes beside each other.
            try await reader.shows("│")
        }
    }

    @Test func theReaderEndsWithItsTerminal() async throws { try await use { try await $0.close() } }
}
