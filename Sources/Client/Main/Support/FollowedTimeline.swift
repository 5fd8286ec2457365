import FeedClientKit
import FeedTerminal

/// Shows a timeline and each new status as it arrives, for `--follow`.
struct FollowedTimeline {
    let timeline: TimelineName
    /// The number of statuses to begin with.
    let count: Int
    let isJSON: Bool
    let images: ImageOption
    let global: GlobalOptions

    func run() async throws {
        try await LiveOutput.print(global: global) { [timeline, count] client in
            try await client.liveTimeline(timeline, count: count, onOutage: { LiveOutput.report($0) })
        } lines: { entry in
            try await lines(entry)
        }
    }

    private func lines(_ entry: TimelineEntry) async throws -> [String] {
        if isJSON { return [JSONText.line(entry.json)] }
        let output = StatusOutput(images: images, global: global)
        let renderer = StatusRenderer.forScreen(context: timeline.filterContext)
        return try await output.renderer(renderer, for: entry.status).lines(entry.status)
    }
}
