import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Streams in Chromium: `EventSource` on a page of another site, and the web reader.
@Suite(
    .hangLimit,
    .enabled(if: MastodonClient.chromium.isInstalled, "it is not installed: scripts/foreign-clients"))
struct EventSourceTests {
    static let drivers = [MastodonDriver(name: "eventsource_streams")]

    @Test(.serialized, arguments: drivers + [MastodonDriver(name: "reader_tabs")])
    func chromiumReceivesStreams(driver: MastodonDriver) async throws { try await driver.run(with: .chromium) }

    /// A server that is stopped tells its clients when to come back; one that is killed does not. What happens before they
    /// do is neither lost nor repeated.
    @Test(arguments: [SIGTERM, SIGKILL])
    func chromiumContinuesAfterARestart(signal: Int32) async throws {
        let first = try await ServerProcess.start()
        for name in ["ada", "bob"] { try await first.addAccount(name) }
        let ada = try await first.token("ada")
        let bob = try await StreamAuthor(try await first.token("bob"), followedBy: ada, on: first)
        try await EventSourceFollower.following(first.address, token: ada) { follower in
            var ids: [String] = []
            for number in 0..<3 { ids.append(try await bob.post("before \(number)", to: first)) }
            try await bob.edit(ids[0], on: first)
            var events = ids.map { "update " + $0 } + ["status.update " + ids[0]]
            try await follower.received(events)
            try await first.stop(signal)
            // On another port, so that the browser misses all of it.
            let between = try await ServerProcess.start(folder: first.folder)
            for number in 0..<3 { events.append("update " + (try await bob.post("missed \(number)", to: between))) }
            try await bob.edit(ids[1], on: between)
            try await bob.delete(ids[2], on: between)
            events += ["status.update " + ids[1], "delete " + ids[2]]
            try await between.stop(signal)
            let second = try await ServerProcess.start(folder: first.folder, port: first.port)
            try await follower.received(events)
            try await follower.opened(2)
            #expect(follower.wasToldOfShutdown == (signal == SIGTERM))
            events.append("update " + (try await bob.post(EventSourceFollower.end, to: second)))
            try await follower.received(events)
            try await second.stop()
        }
    }
}
