import FeedClientKit
import FeedTerminal

/// Prints the statuses of a timeline in portions, and keeps none of them.
///
/// The accounts that have boosted a status are named together if their boosts are in the same portion; further boosts of
/// a status that has been printed are left out.
final class TimelinePrinter {
    /// The least number of statuses that are rendered together, unless there are fewer.
    private static let portion = 40

    private let timeline: TimelineName
    private let isJSON: Bool
    private let pictures: PictureOutput
    private let listed: StatusNumbers?
    private let viewer: String?
    /// The protocol for pictures; `nil` until it is known whether a pager is needed, which would not pass pictures on.
    private var kind: PictureProtocol?
    private var loaded = StatusPictures()
    /// Whether to use only cached pictures.
    var onlyCached = false
    private var screen: PagedOutput?
    /// Entries that have not been printed yet.
    private var held: [StoredTimeline.Entry] = []
    /// The lines above it.
    private var heading: [String] = []
    private var printed: PrintedTimeline

    /// - Parameter readMark: The newest status that had been read before; `nil` for no line above it.
    init(
        timeline: TimelineName, isJSON: Bool, images: PictureOption, global: GlobalOptions, readMark: StatusKey? = nil
    ) {
        printed = PrintedTimeline(readMark: readMark)
        (self.timeline, self.isJSON) = (timeline, isJSON)
        listed = isJSON ? nil : .onScreen(global)
        viewer = global.viewer
        pictures = PictureOutput(images: images, global: global)
        kind = pictures.fixedProtocol
    }

    private var renderer: TimelineRenderer {
        var renderer = StatusRenderer.forScreen(context: timeline.filterContext, viewer: viewer)
        renderer.number = { [listed] in listed?.number(of: $0) }
        return TimelineRenderer(renderer: renderer, timeline: timeline)
    }

    /// Runs `body`, prints the rest, also after an error, and then waits until the user quits the pager.
    func use<Value>(_ body: () async throws -> Value) async throws -> Value {
        defer {
            listed?.save()
            screen?.end()
        }
        do {
            let value = try await body()
            try await flush()
            return value
        } catch {
            _ = try? await flush()
            throw error
        }
    }

    // MARK: Statuses

    /// Prints the next statuses, the newest first.
    /// - Returns: Whether there is a use for more.
    func show(_ entries: [StoredTimeline.Entry]) async throws -> Bool {
        guard !isJSON else { return showJSON(entries) }
        held += entries
        guard held.count >= Self.portion else { return true }
        // As long as everything fits, pictures may be shown, and these statuses need theirs.
        if kind == nil, pictures.pictureProtocol(for: plainLines(held)) != .none { return true }
        return try await flush()
    }

    // MARK: Lines between them

    /// Prints that statuses below one of them are missing.
    func showGap(below id: String) {
        guard !isJSON else { return report(gapBelow: id) }
        if held.isEmpty { heading += renderer.gap(below: id) } else { held[held.count - 1].hasGap = true }
    }

    // MARK: Helpers

    /// Prints what is held.
    @discardableResult private func flush() async throws -> Bool {
        guard !isJSON else { return true }
        kind = kind ?? pictures.pictureProtocol(for: plainLines(held))
        let entries = held
        held = []
        let renderer = try await rendererWithPictures(of: entries.map(\.entry))
        let lines = heading + renderer.lines(entries, after: &printed)
        heading = []
        return destination.show(lines)
    }

    /// The output for lines. The protocol for pictures must have been chosen.
    private var destination: PagedOutput {
        if let screen { return screen }
        let new = PagedOutput(isPaged: kind.map(PictureOutput.mayBePaged) ?? true)
        screen = new
        return new
    }

    /// The lines of statuses without pictures.
    private func plainLines(_ entries: [StoredTimeline.Entry]) -> [String] {
        var printed = printed
        return heading + renderer.lines(entries, after: &printed)
    }

    /// A renderer that shows the pictures of statuses.
    private func rendererWithPictures(of entries: [TimelineEntry]) async throws -> TimelineRenderer {
        var renderer = renderer
        guard let kind else { return renderer }
        var request = StatusPictures.Request()
        for item in BoostedStatus.merged(entries.map(\.status)) where !printed.ids.contains(item.status.id) {
            request.add(item.status, shownBy: renderer.renderer)
        }
        loaded = try await pictures.load(
            request, after: loaded, for: renderer.renderer, as: kind, onlyCached: onlyCached)
        renderer.renderer = loaded.shown(by: renderer.renderer)
        return renderer
    }

    private func showJSON(_ entries: [StoredTimeline.Entry]) -> Bool {
        for entry in entries {
            print(RawJSON.line(entry.entry.json))
            if entry.hasGap { report(gapBelow: entry.entry.status.id) }
        }
        return ScreenOutput.write([])
    }

    private func report(gapBelow id: String) {
        StandardError.line("older statuses were not loaded; run " + SafeText.line(timeline.command(before: id)))
    }
}
