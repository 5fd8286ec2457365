import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Reads a timeline.
struct TimelineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline", abstract: "Read a timeline.",
        discussion: """
            NAME is home, public, local, @user, tag:NAME (or '#NAME'), list:TITLE, favourites or bookmarks; a bare name \
            means an account. The default is home if you are logged in, otherwise public. The newest statuses come \
            first; one that several people have boosted is shown once. What does not fit on the terminal is shown in \
            $PAGER (default: less -R; an empty PAGER disables it). The statuses are stored, and --offline shows them \
            again. --follow prints the oldest status first, and then each new one as it arrives, until Ctrl-C.

              feedclient timeline -n 50
              feedclient timeline tag:sailing
              feedclient timeline @ada --before 112233445566778899
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(
        help: .init("home, public, local, @user, tag:NAME, list:TITLE, favourites or bookmarks.", valueName: "name"))
    var name: TimelineArgument?
    @Option(name: [.customShort("n"), .long], help: "The maximum number of statuses.") var limit = 20
    @Option(help: .init("Show only statuses older than this one.", valueName: "id")) var before: String?
    @Option(help: .init("Show only statuses newer than this one.", valueName: "id")) var since: String?
    @Flag(help: "Show the stored statuses, without a network.") var offline = false
    @Flag(help: "Keep printing new statuses as they arrive.") var follow = false
    @Flag(help: "Print one Status entity per line, as JSON.") var json = false
    @Option(help: ImageOption.help) var images = ImageOption.auto

    private var hasRange: Bool { before != nil || since != nil }

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be between 1 and 10000.") }
        if follow, offline || hasRange {
            throw ValidationError("--follow cannot be combined with --offline, --before and --since.")
        }
        guard !offline || !hasRange else { throw ValidationError("--before and --since need the server.") }
        guard !hasRange || name?.value.isSortedByID != false else {
            throw ValidationError("Favourites and bookmarks are not sorted by ids: omit --before and --since.")
        }
    }

    func run() async throws {
        try await ErrorReporter.run {
            let session = try global.session()
            let timeline = try timeline(session.login)
            if follow { return try await followed(timeline, session.login).run() }
            let stored = OfflineTimeline(timeline, session: session)
            let entries = try await offline ? stored.load(limit) : fetch(timeline, stored, session.login)
            try await show(entries)
            if !offline, session.login?.isClassic == false { await stored.sync(global) }
        }
    }

    private func timeline(_ login: CredentialStore.Login?) throws -> TimelineName {
        let timeline = name?.value ?? (login == nil ? .public : .home)
        if login?.isClassic == true {
            guard timeline == .home, !hasRange else {
                throw FeedClientError(
                    .usage, "This server has only one timeline", hint: "Omit the name of the timeline, and its range.")
            }
        } else if timeline.needsLogin, !offline {
            try global.login()
        }
        return timeline
    }

    private func followed(_ timeline: TimelineName, _ login: CredentialStore.Login?) throws -> FollowedTimeline {
        guard login?.isClassic != true else {
            throw FeedClientError(
                .usage, "The classic login cannot follow a timeline", hint: "Log in without --classic.")
        }
        return FollowedTimeline(timeline: timeline, count: limit, isJSON: json, images: images, global: global)
    }

    private func fetch(
        _ timeline: TimelineName, _ stored: OfflineTimeline, _ login: CredentialStore.Login?
    ) async throws -> [TimelineEntry] {
        do {
            let range = TimelineRange(before: try before.map(global.statusID), since: try since.map(global.statusID))
            let entries = try await global.use { client in
                if login?.isClassic == true { return try await Self.classic(client, limit) }
                return try await client.statuses(of: timeline, count: limit, in: range, countsRepetitions: json)
            }
            // An older part of the timeline must not replace its newest statuses.
            if !hasRange { await stored.save(entries) }
            return entries
        } catch let error as FeedClientError {
            throw await explained(error, timeline, stored)
        }
    }

    /// Adds a hint about what else can be read.
    private func explained(
        _ error: FeedClientError, _ timeline: TimelineName, _ stored: OfflineTimeline
    ) async -> FeedClientError {
        var hint = error.hint
        switch (error.code, timeline) {
        case (.unreachable, _), (.network, _):
            if await stored.exists { hint = "Read the stored statuses with --offline." }
        case (.notFound, .account(let name)):
            hint = "Check the name; a hashtag is tag:\(name), and a list is list:\(name)."
        default: break
        }
        return FeedClientError(error.code, error.message, hint: hint, cause: error.cause, status: error.status)
    }

    private static func classic(_ client: FeedClient, _ limit: Int) async throws -> [TimelineEntry] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if limit > ClassicFeed.maximumCount {
            StandardError.line("this server sends only the newest \(ClassicFeed.maximumCount) statuses")
        }
        return try await client.classicFeed().statuses.prefix(limit).map { status in
            TimelineEntry(status: status.entity, json: Array(try encoder.encode(status.entity)))
        }
    }

    private func show(_ entries: [TimelineEntry]) async throws {
        if json {
            for entry in entries { print(JSONText.line(entry.json)) }
            return
        }
        if entries.isEmpty { StandardError.line(hasRange ? "no statuses in this range" : "no statuses yet") }
        let renderer = StatusRenderer.forScreen()
        let items = BoostedStatus.merged(entries.map(\.status))
        var request = StatusPictures.Request()
        for item in items { request.add(item.status, shownBy: renderer) }
        try await StatusOutput(images: offline ? .none : images, global: global).show(renderer, request) {
            items.flatMap($0.lines)
        }
    }
}
