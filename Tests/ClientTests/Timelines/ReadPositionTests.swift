import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

/// Read positions on the disk and at a server.
@Suite(.hangLimit)
struct ReadPositionTests {
    private static let path = "/api/v1/markers"

    private static func server(at id: String) -> MediaServer {
        let marker = #"{"home":{"last_read_id":"\#(id)","version":1,"updated_at":"2026-01-01T00:00:00.000Z"}}"#
        return MediaServer(special: [
            ("GET " + path, { MediaServer.json(marker) }), ("POST " + path, { MediaServer.json(marker) }),
        ])
    }

    @Test func positionMovesOnlyForward() async throws {
        let server = Self.server(at: "50")
        try await server.run { client in
            let store = try StoreFixture().open()
            let sync = OfflineSync(store, with: client)
            try await sync.markRead(.home, upTo: "60")
            #expect(try await store.readPosition(.home) == "60")
            // Neither of these is news.
            for id in ["60", "9", "no id"] { try await sync.markRead(.home, upTo: id) }
            #expect(try await store.readPosition(.home) == "60")
            #expect(try await store.readPosition(.notifications) == nil)
        }
        #expect(server.lines == ["GET " + Self.path, "POST " + Self.path])
        #expect(server.bodies("POST") == ["home%5Blast_read_id%5D=60"])
    }

    /// What a terminal has shown is known per timeline, and is nobody else's business.
    @Test func seenPositionMovesOnlyForward() async throws {
        let store = try StoreFixture().open()
        #expect(try await store.seenPosition(of: .home) == nil)
        for id in ["60", "9", "no id", "100"] { try await store.markSeen(.home, upTo: id) }
        #expect(try await store.seenPosition(of: .home) == "100")
        #expect(try await store.seenPosition(of: .public) == nil)
        #expect(try await store.readPosition(.home) == nil)
    }

    /// Another device has read further.
    @Test func serverIsNotMovedBackwards() async throws {
        let server = Self.server(at: "500")
        try await server.run { client in
            let store = try StoreFixture().open()
            try await OfflineSync(store, with: client).markRead(.home, upTo: "60")
            #expect(try await store.readPosition(.home) == "500")
        }
        #expect(server.lines == ["GET " + Self.path])
    }

    @Test func serverIsToldLaterIfItFails() async throws {
        let server = MediaServer(special: [
            ("GET " + Self.path, { MediaServer.error(.forbidden, "no") }),
            ("GET " + Self.path, { MediaServer.json("{}") }), ("POST " + Self.path, { MediaServer.json("{}") }),
        ])
        try await server.run { client in
            let store = try StoreFixture().open()
            let sync = OfflineSync(store, with: client)
            await #expect(throws: FeedClientError.self) { try await sync.markRead(.home, upTo: "60") }
            try await sync.markRead(.home, upTo: "59")
            try await sync.markRead(.home, upTo: "60")
        }
        #expect(server.bodies("POST") == ["home%5Blast_read_id%5D=60"])
    }
}
