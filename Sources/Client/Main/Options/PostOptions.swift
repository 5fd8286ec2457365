import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal

/// The options of commands that post a status, and how they send it.
struct PostOptions: ParsableArguments {
    /// The limit of this server, and the default of Mastodon.
    private static let maximumMedia = 4

    /// The values of `--visibility`.
    static let visibilities = ["public", "unlisted", "private", "direct"]

    @Option(help: .init("A picture, video or recording to attach; up to four times.", valueName: "file"))
    var media: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: .init("A description of a media file for people who cannot see or hear it.", valueName: "text"))
    var alt: [String] = []
    @Option(
        help: .init(
            "A picture that stands for a video or recording; the first one for the first --media.", valueName: "file"))
    var thumbnail: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: .init(
            "The point of a picture that stays visible when it is cropped, from -1,-1 (bottom left) to 1,1.",
            valueName: "x,y"))
    var focus: [FocusArgument] = []
    @Option(help: "public, unlisted, private or direct.", completion: Completions.visibility) var visibility: String?
    @Option(help: "A content warning.") var spoiler: String?
    @Option(help: .init("The language of the text, such as en or pt-BR.", valueName: "code")) var language: String?
    @OptionGroup var poll: PollOptions
    @Option(help: .init("Let the server post it at a later time, at least 5 minutes from now.", valueName: "time"))
    var schedule: String?
    @Flag(help: "Print the Status entity as JSON, or the ScheduledStatus entity.") var json = false
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard Self.visibilities.contains(visibility ?? "public") else {
            throw ValidationError("--visibility must be public, unlisted, private or direct.")
        }
        guard media.count <= Self.maximumMedia else {
            throw ValidationError("A status can have at most \(Self.maximumMedia) media files.")
        }
        guard media.isEmpty || poll.options.isEmpty else {
            throw ValidationError("A status cannot have both a poll and media files.")
        }
        guard max(alt.count, thumbnail.count, focus.count) <= media.count else {
            throw ValidationError("Each --alt, --thumbnail and --focus needs a --media.")
        }
    }

    /// Posts a status and prints the result.
    /// - Parameters:
    ///   - words: The text on the command line.
    ///   - target: The status to reply to.
    ///   - template: What the reply takes over; `nil` for nothing.
    ///   - chosen: The draft that the post continues; `nil` for a new post.
    func post(
        _ words: [String], to target: String? = nil, _ template: ReplyDraft? = nil,
        draft chosen: StoredDraft? = nil, _ global: GlobalOptions
    ) async throws {
        let time = try schedule.map(ScheduleCommand.time)
        let composer = try Composer(global, inReplyTo: target, draft: chosen)
        let given = files
        for file in given { try file.check() }
        let text = try composer.text(words, opening: template?.opening ?? "", isOptional: !media.isEmpty)
        let post = post(text, given, scheduledAt: time, target, template)
        try Composer.check(text.text, hasMedia: !post.files.isEmpty)
        let outgoing = OutgoingPost(composer: composer, text: text, post: post, global: global)
        try show(try await send(outgoing), isScheduled: post.scheduledAt != nil)
    }

    /// Combines the options with those of an earlier attempt, which belong to its text unless an option replaces them
    /// or the time to publish has passed.
    private func post(
        _ text: PostText, _ files: [MediaFile], scheduledAt time: Int64?, _ target: String?,
        _ template: ReplyDraft?
    ) -> OutboxPost {
        let earlier = text.draft?.post
        // In an editor, the mentions could be seen and removed.
        var draft = template?.draft(text.text, addsMentions: text.origin != .edited) ?? Draft(text: text.text)
        draft.inReplyToID = target
        draft.visibility = visibility ?? earlier?.draft.visibility ?? draft.visibility
        draft.spoilerText = spoiler ?? earlier?.draft.spoilerText ?? draft.spoilerText
        draft.language = language ?? earlier?.draft.language
        draft.poll = poll.draft ?? (files.isEmpty ? earlier?.draft.poll : nil)
        let files = files.isEmpty && poll.options.isEmpty ? earlier?.files ?? [] : files
        if draft.spoilerText != nil, !files.isEmpty { draft.isSensitive = true }
        let earlierTime = earlier?.scheduledAt.flatMap { $0 > Milliseconds.now ? $0 : nil }
        return OutboxPost(draft: draft, files: files, scheduledAt: time ?? earlierTime)
    }

    private func show(_ result: ActionResult, isScheduled: Bool) throws {
        print(json ? ActionResultRenderer.json(result) : ActionResultRenderer.text(result))
        guard isScheduled, case .posted(let posted) = result else { return }
        throw FeedClientError(
            .failed, "The server has posted it now, because it cannot schedule posts",
            hint: "Delete it with feedclient delete \(ShellWord.quoted(posted.status.id)).")
    }

    /// Sends a post and shows the progress of the uploads.
    private func send(_ outgoing: OutgoingPost) async throws -> ActionResult {
        let reporter = MediaProgress(outgoing.post.files.map(\.path), progress)
        defer { reporter.clear() }
        let progress: @Sendable (Int, Int64) -> Void = { reporter.show($0, done: $1) }
        let sent = try await outgoing.send(progress: progress)
        reporter.finish()
        return sent
    }

    /// The paths are absolute, because another command may send the post from another folder.
    private var files: [MediaFile] {
        media.enumerated().map { index, path in
            var file = MediaFile(path.absolutePath)
            if index < alt.count, !alt[index].isEmpty { file.description = alt[index] }
            if index < thumbnail.count, !thumbnail[index].isEmpty { file.thumbnail = thumbnail[index].absolutePath }
            if index < focus.count { file.focus = focus[index].focus }
            return file
        }
    }
}

/// The value of `--focus`: two numbers from -1 to 1, with a comma; empty for none.
struct FocusArgument: ExpressibleByArgument {
    let focus: Entity.MediaAttachment.Focus?

    init?(argument: String) {
        guard !argument.isEmpty else {
            focus = nil
            return
        }
        let parts = argument.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double(String(Substring($0))) }
        guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ (-1...1).contains($0) }) else { return nil }
        focus = .init(x: numbers[0], y: numbers[1])
    }
}

/// The options of `post` that describe a poll. Those of toot are accepted, too.
struct PollOptions: ParsableArguments {
    /// The time for which a poll is open without `--poll-expires`: one day.
    private static let standardSeconds = 86_400

    @Option(
        name: [.customLong("poll"), .customLong("poll-option")], parsing: .unconditionalSingleValue,
        help: .init("An option of a poll; at least twice.", valueName: "option"))
    var options: [String] = []
    @Option(
        name: [.customLong("poll-expires"), .customLong("poll-expires-in")],
        help: .init("The time for which the poll is open, such as 30m or 1d 12h (default: 1d).", valueName: "duration"))
    var expires: DurationArgument?
    @Flag(name: .customLong("poll-multiple"), help: "Allow several choices.") var isMultiple = false
    @Flag(name: .customLong("poll-hide-totals"), help: "Hide the results until the poll ends.") var hidesTotals = false

    func validate() throws {
        guard options.isEmpty else {
            guard options.count > 1 else { throw ValidationError("A poll needs at least two options.") }
            return
        }
        guard expires == nil, !isMultiple, !hidesTotals else {
            throw ValidationError("A poll needs options: --poll OPTION.")
        }
    }

    /// `nil` without options.
    var draft: PollDraft? {
        guard !options.isEmpty else { return nil }
        var draft = PollDraft(options: options, seconds: expires?.seconds ?? Self.standardSeconds)
        (draft.isMultiple, draft.hidesTotals) = (isMultiple, hidesTotals)
        return draft
    }
}
