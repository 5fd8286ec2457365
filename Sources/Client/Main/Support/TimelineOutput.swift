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

    private var pictures: StatusOutput { StatusOutput(images: images, global: global) }
    private var renderer: TimelineRenderer { TimelineRenderer(renderer: .forScreen(), timeline: timeline) }

    /// Prints fetched statuses.
    func show(_ entries: [TimelineEntry]) async throws {
        if isJSON {
            for entry in entries { print(JSONText.line(entry.json)) }
            return
        }
        let kind = pictureProtocol(for: entries)
        ScreenOutput().show(try await lines(entries, kind), isPaged: StatusOutput.mayBePaged(kind))
    }

    /// Prints stored statuses with their gaps and cached pictures, without requests.
    /// - Parameter start: The upper end of the requested range.
    func show(_ found: StoredTimeline, below start: String?) async throws {
        let first = found.startsWithGap ? start : nil
        guard isJSON else {
            let kind = pictures.pictureProtocol(for: renderer.lines(found.entries))
            let illustrated = try await rendererWithPictures(of: found.entries.map(\.entry), kind, onlyCached: true)
            let lines = (first.map(gap(below:)) ?? []) + illustrated.lines(found.entries)
            return ScreenOutput().show(lines, isPaged: StatusOutput.mayBePaged(kind))
        }
        if let first { report(gapBelow: first) }
        for entry in found.entries {
            print(JSONText.line(entry.entry.json))
            if entry.hasGap { report(gapBelow: entry.entry.status.id) }
        }
    }

    /// How pictures are shown between these statuses.
    func pictureProtocol(for entries: [TimelineEntry]) -> PictureProtocol {
        pictures.pictureProtocol(for: renderer.lines(entries))
    }

    /// The lines of statuses with their pictures.
    /// - Parameters:
    ///   - kind: How pictures are shown.
    ///   - onlyCached: Whether to use only cached pictures.
    ///   - time: When the statuses above were fetched, in milliseconds since 1970.
    func lines(
        _ entries: [TimelineEntry], _ kind: PictureProtocol, onlyCached: Bool = false, since time: Int64? = nil
    ) async throws -> [String] {
        let renderer = try await rendererWithPictures(of: entries, kind, onlyCached: onlyCached)
        let now = Milliseconds.now
        return (time.map { renderer.heading(since: $0, now: now) } ?? []) + renderer.lines(entries)
    }

    private func rendererWithPictures(
        of entries: [TimelineEntry], _ kind: PictureProtocol, onlyCached: Bool
    ) async throws -> TimelineRenderer {
        var renderer = renderer
        var request = StatusPictures.Request()
        for item in BoostedStatus.merged(entries.map(\.status)) {
            request.add(item.status, shownBy: renderer.renderer)
        }
        renderer.renderer = try await pictures.renderer(
            renderer.renderer, showing: request, as: kind, onlyCached: onlyCached)
        return renderer
    }

    func gap(below id: String) -> [String] { renderer.gap(below: id) }

    private func report(gapBelow id: String) {
        StandardError.line("older statuses were not loaded; run " + SafeText.line(timeline.command(before: id)))
    }
}
