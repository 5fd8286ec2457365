import FeedClientKit
import FeedTerminal

/// Shows a timeline and each new status as it arrives, for `--follow`.
struct TimelineFollower {
    let timeline: TimelineName
    /// The number of statuses to begin with.
    let count: Int
    let isJSON: Bool
    let images: PictureOption
    let global: GlobalOptions

    func run() async throws {
        let (listed, viewer) = (isJSON ? nil : StatusNumbers.onScreen(global), global.viewer)
        try await StreamFollower.print(global: global) { [timeline, count] client in
            try await client.liveTimeline(timeline, count: count, onOutage: { StreamFollower.report($0) })
        } lines: { entry in
            defer { listed?.save() }
            return try await lines(entry, listed, viewer)
        }
    }

    private func lines(_ entry: TimelineEntry, _ listed: StatusNumbers?, _ viewer: String?) async throws -> [String] {
        if isJSON { return [RawJSON.line(entry.json)] }
        let output = PictureOutput(images: images, global: global)
        var renderer = StatusRenderer.forScreen(context: timeline.filterContext, viewer: viewer)
        renderer.number = { listed?.number(of: $0) }
        return try await output.renderer(renderer, for: entry.status).lines(entry.status)
    }
}

/// Prints entries as they arrive, until Ctrl-C, an error, or the exit of the program that reads the output.
enum StreamFollower {
    /// The interval at which to check, while there is nothing to print, whether the output is still being read.
    private static let checkInterval = Duration.milliseconds(250)

    /// - Parameters:
    ///   - entries: The entries to print.
    ///   - lines: The lines of an entry. They are written at once, so that a pipe gets them without delay.
    /// - Throws: `CancellationError` after Ctrl-C.
    static func print<Entry: Sendable>(
        global: GlobalOptions, _ entries: @escaping @Sendable (FeedClient) async throws -> LiveEntries<Entry>,
        lines: @escaping @Sendable (Entry) async throws -> [String]
    ) async throws {
        try await InterruptHandler.cancelling(message: nil) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watchOutput() }
                group.addTask {
                    try await global.use { client in
                        for try await entry in try await entries(client) { try write(try await lines(entry)) }
                    }
                }
                defer { group.cancelAll() }
                do { _ = try await group.next() } catch {
                    try Task.checkCancellation()
                    throw error
                }
            }
        }
    }

    /// Tells the user about an outage.
    static func report(_ error: FeedClientError?) {
        StandardError.line(SafeText.line(error?.message ?? "The connection was lost") + "; trying again")
    }

    private static func write(_ lines: [String]) throws {
        for line in lines { Swift.print(line) }
        try StandardOutputCheck.after()
    }

    /// Ends the program when the reader of the output has ended, as `head` does.
    private static func watchOutput() async throws {
        while true {
            try await Task.sleep(for: checkInterval)
            if StandardOutput.isBroken { BrokenPipe.end() }
        }
    }
}
