import ArgumentParser
import FeedClientKit

/// Reads a timeline.
struct TimelineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline", abstract: "Read a timeline.",
        discussion: """
            NAME is home, public, local, @user, tag:NAME (or '#NAME'), list:TITLE, favourites or bookmarks; a bare name \
            means an account. The default is home if you are logged in, otherwise public.

            The newest statuses come first; one that several people have boosted is shown once. On a terminal, each has \
            a number, by which the next commands can name it, and a line separates new statuses from those that were \
            shown before. What does not fit is shown in $PAGER (default: less -R; an empty PAGER disables it).

            The statuses are stored: they are shown if the server does not answer within 2 seconds, and with --offline, \
            which says where some are missing.

            --follow prints the oldest status first, and then each new one as it arrives, until Ctrl-C, and stores \
            nothing. The home timeline, without --json, --before, --offline and --follow, also tells the server how far \
            you have read, for your other apps. Posts that wait in the outbox are sent, except with --offline.

              feedclient timeline -n 50
              feedclient timeline tag:sailing
              feedclient timeline @ada --before 20
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(
        help: .init("home, public, local, @user, tag:NAME, list:TITLE, favourites or bookmarks.", valueName: "name"),
        completion: Completions.timeline)
    var name: TimelineArgument?
    @Option(name: [.customShort("n"), .long], help: "The maximum number of statuses.") var limit = 20
    @Option(help: .init("Show only statuses older than this one.", valueName: "ref"), completion: Completions.status)
    var before: String?
    @Option(help: .init("Show only statuses newer than this one.", valueName: "ref"), completion: Completions.status)
    var since: String?
    @Flag(help: "Show the stored statuses, without a network.") var offline = false
    @Flag(help: "Keep printing new statuses as they arrive.") var follow = false
    @Flag(help: "Print one Status entity per line, as JSON.") var json = false
    @Option(help: PictureOption.help) var images = PictureOption.auto

    private var hasRange: Bool { before != nil || since != nil }

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("-n (--limit) must be between 1 and 10000.") }
        if follow, offline || hasRange {
            throw ValidationError("--follow cannot be combined with --offline, --before and --since.")
        }
        guard !hasRange || name?.value.isSortedByID != false else {
            throw ValidationError("Favourites and bookmarks are not sorted by ids: omit --before and --since.")
        }
    }

    func run() async throws {
        try await ErrorReporter.run {
            let session = try global.session()
            let timeline = try timeline(session.login)
            if follow {
                let followed = try followed(timeline, session.login)
                await OutboxFlush.automatic(global)
                return try await followed.run()
            }
            var range = TimelineRange()
            if let before { range.before = try await global.statusID(before) }
            if let since { range.since = try await global.statusID(since) }
            let loader = TimelineLoader(
                timeline: timeline, limit: limit, range: range, isJSON: json, images: images, global: global,
                server: session.address, login: session.login, stored: OfflineTimelines(session))
            if offline { return try await loader.showStored() }
            try await loader.show()
            if session.login?.isClassic == false { await OutboxFlush.automatic(global) }
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

    private func followed(_ timeline: TimelineName, _ login: CredentialStore.Login?) throws -> TimelineFollower {
        guard login?.isClassic != true else {
            throw FeedClientError(
                .usage, "The classic login cannot follow a timeline", hint: "Log in without --classic.")
        }
        return TimelineFollower(timeline: timeline, count: limit, isJSON: json, images: images, global: global)
    }
}
