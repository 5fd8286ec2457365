import FeedCore

/// The text and files that a member has typed and uploaded on the page on which they post, reply and edit.
struct ComposeForm: Sendable {
    /// The part of the form at which a refusal is shown.
    enum Part: Sendable { case text, media, poll, schedule }

    var text = ""
    var spoilerText = ""
    var hidesMedia: Bool
    var visibility: Visibility
    var language: String?
    var files: [ComposeAttachment] = []
    /// Whether a file that was uploaded before has expired.
    var isMissingFile = false
    var poll = ComposePoll()
    /// The time of publication as it was typed.
    var scheduledAt = ""
    /// The time zone of times.
    let zone: PageTimeZone
    /// The status that is replied to.
    var target: Status?
    var replyID: Int64?
    /// The status that is edited.
    var edited: Status?
    /// The page to which an edit leads back.
    var next: LocalPath?
    /// Random, the same as long as the form is open.
    var key = Secret.randomText()
    var notice: String?
    var refusal: (part: Part, message: String)?

    init(for account: Account) {
        (hidesMedia, visibility) = (account.defaultSensitive, account.defaultVisibility)
        language = account.defaultLanguage
        zone = PageTimeZone(of: account)
    }

    /// A reply mentions whom the status mentions, and is not seen by more people.
    init(replyTo target: Status, by account: Account) {
        self.init(for: account)
        replyID = target.id
        setTarget(target)
        spoilerText = target.spoilerText
        let others = target.mentions.map { ($0.id, $0.username) }
        var names: [String] = []
        for (id, name) in [(target.account.id, target.account.username)] + others
        where id != account.id && !names.contains(name) {
            names.append(name)
        }
        text = names.map { "@\($0) " }.joined()
    }

    init(editing status: Status, by account: Account) {
        self.init(for: account)
        edited = status
        (text, spoilerText, hidesMedia) = (status.text, status.spoilerText, status.sensitive)
        (visibility, language) = (status.visibility, status.language ?? language)
        files = status.media.map { ComposeAttachment($0) }
        if let poll = status.poll { self.poll = ComposePoll(poll) }
    }

    /// Everything but files. Browsers send line breaks as CR LF.
    /// - Parameter old: The status that is edited.
    init(_ input: RequestParameters, for account: Account, editing old: Status?) {
        self.init(for: account)
        edited = old
        text = (input["status"] ?? "").replacing("\r\n", with: "\n")
        spoilerText = input["spoiler_text"] ?? ""
        hidesMedia = input.flag("sensitive") ?? hidesMedia
        visibility = old?.visibility ?? input["visibility"].flatMap { Visibility(apiName: $0) } ?? visibility
        language = input.language ?? old?.language ?? language
        poll = ComposePoll(input)
        scheduledAt = old == nil ? input["scheduled_at"] ?? "" : ""
        replyID = old == nil ? (try? input.id(.inReplyToID)) ?? nil : nil
        next = input.next
        if let sent = input["key"], AuthorizationCode.isBase64URL256(sent) { key = sent }
    }

    mutating func setTarget(_ status: Status?) {
        target = status
        if let status, status.visibility.rawValue > visibility.rawValue { visibility = status.visibility }
    }

    /// A double click posts once, although it may upload a file twice. Another content from the same form, after a return
    /// to it, is another status.
    var idempotencyKey: String {
        var parts = [text, spoilerText, visibility.apiName, replyID.map { String($0) } ?? "", language ?? ""]
        parts += [String(hidesMedia), scheduledAt] + poll.parts + files.flatMap(\.parts)
        let content = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return key + "." + Hex.text(Secret.hash(content).prefix(16))
    }
}

/// The poll of the form.
struct ComposePoll: Sendable {
    static let standardSeconds = "86400"

    var options: [String] = []
    /// The duration in seconds; empty to keep the end of the poll that is edited.
    var seconds = standardSeconds
    var isMultiple = false
    var hidesTotals = false

    init() {}

    init(_ poll: Poll) {
        (options, seconds) = (poll.titles, "")
        (isMultiple, hidesTotals) = (poll.isMultiple, poll.hidesTotals)
    }

    init(_ input: RequestParameters) {
        options = Array(input.all("poll[options]").prefix(PollLimits.options.upperBound + 1))
        seconds = input["poll[expires_in]"] ?? seconds
        isMultiple = input.flag("poll[multiple]") ?? false
        hidesTotals = input.flag("poll[hide_totals]") ?? false
    }

    var isEmpty: Bool { options.allSatisfy { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) } }

    fileprivate var parts: [String] {
        isEmpty ? [] : options + [seconds, String(isMultiple), String(hidesTotals)]
    }

    /// - Parameter old: The poll that is edited. One that has ended is open again only with other options or a new end.
    /// - Returns: `nil` without any option.
    func draft(editing old: Poll?) -> PollDraft? {
        guard !isEmpty else { return nil }
        var draft = PollDraft(
            options: options, seconds: Int64(seconds), isMultiple: isMultiple, hidesTotals: hidesTotals)
        if let old, seconds.isEmpty, !old.isExpired || !PollRule.resetsVotes(of: old, draft) {
            draft.keptEnd = old.expiresAt
        }
        return draft
    }
}
