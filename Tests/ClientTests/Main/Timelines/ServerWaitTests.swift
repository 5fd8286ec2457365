import TestKit
import Testing

@testable import feedclient

/// Either the server is in time, or something else is shown.
@Suite(.hangLimit)
struct ServerWaitTests {
    @Test func firstEventDecides() {
        let (answered, givenUp) = (ServerWait(), ServerWait())
        for _ in 0..<2 {
            #expect(answered.answered() && !answered.giveUp() && !answered.isGivenUp)
            #expect(givenUp.giveUp() && !givenUp.answered() && givenUp.isGivenUp)
        }
    }

    @Test func limitEndsTheWait() async throws {
        let wait = ServerWait()
        try await wait.run(announcing: "asking", limit: ServerWait.announcement)
        #expect(wait.isGivenUp)
    }

    /// Without anything to show instead, and after an answer, the wait lasts until its task is cancelled.
    @Test(arguments: [nil, ServerWait.announcement]) func onlyCancellationEndsAnUnlimitedWait(limit: Duration?) async {
        let wait = ServerWait()
        if limit != nil { _ = wait.answered() }
        let task = Task { try await wait.run(announcing: "asking", limit: limit) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!wait.isGivenUp)
    }
}
