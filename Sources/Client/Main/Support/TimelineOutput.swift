import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Prints the statuses of a timeline.
struct TimelineOutput {
    let timeline: TimelineName
    let isJSON: Bool
    let images: ImageOption
    let global: GlobalOptions

    private var renderer: TimelineRenderer { TimelineRenderer(renderer: .forScreen(), timeline: timeline) }

    /// Prints fetched statuses.
    func show(_ entries: [TimelineEntry]) async throws {
        if isJSON {
            for entry in entries { print(JSONText.line(entry.json)) }
            return
        }
        let (plain, output) = (renderer.lines(entries), ScreenOutput())
        // A pager passes no pictures on.
        output.show(output.pager(for: plain) == nil ? try await lines(entries) : plain)
    }

    /// Prints stored statuses with their gaps.
    /// - Parameter start: The upper end of the requested range.
    func show(_ found: StoredTimeline, below start: String?) {
        let first = found.startsWithGap ? start : nil
        guard isJSON else {
            return ScreenOutput().show((first.map(gap(below:)) ?? []) + renderer.lines(found.entries))
        }
        if let first { report(gapBelow: first) }
        for entry in found.entries {
            print(JSONText.line(entry.entry.json))
            if entry.hasGap { report(gapBelow: entry.entry.status.id) }
        }
    }

    /// The lines of statuses with the avatars of their authors.
    /// - Parameters:
    ///   - onlyCached: Whether to do without requests.
    ///   - time: When those above them were read, in milliseconds since 1970.
    func lines(_ entries: [TimelineEntry], onlyCached: Bool = false, since time: Int64? = nil) async throws -> [String]
    {
        let statuses = BoostedStatus.merged(entries.map(\.status)).map(\.status)
        let pictures = try await AvatarRenderer(images: images, global: global).load(statuses, onlyCached: onlyCached)
        var renderer = renderer
        renderer.renderer.picture = { $0.avatar.flatMap { pictures[$0] } }
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        return (time.map { renderer.heading(since: $0, now: now) } ?? []) + renderer.lines(entries)
    }

    func gap(below id: String) -> [String] { renderer.gap(below: id) }

    private func report(gapBelow id: String) {
        StandardError.line("older statuses were not loaded; run " + SafeText.line(timeline.command(before: id)))
    }
}
