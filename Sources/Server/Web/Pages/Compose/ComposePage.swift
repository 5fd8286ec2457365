import FeedCore
import Foundation
import HTTPTypes
import NIOCore

/// Renders the page on which members post and edit.
struct ComposePage: Sendable {
    private static let visibilities: [Visibility] = [.public, .unlisted, .followers, .direct]
    private static let durations: [PageDuration] = [
        .minutes(5), .minutes(30), .hours(1), .hours(6), .hours(12), .days(1), .days(3), .days(7), .days(30),
    ]

    let assets: PageAssets
    let settings: ReloadableSettings
    let acceptsMedia: Bool

    func form(_ state: ComposeForm, _ request: Request, _ context: RequestContext) throws -> Response {
        var page = try assets.page(for: request, context)
        let text = page.text
        let heading = state.edited != nil ? text.editPost : state.replyID == nil ? text.newPost : text.words.reply
        page.setTitle("\(heading) – \(page.site.title)", heading: heading)
        setText(state, in: &page)
        setChoices(state, in: &page)
        setMedia(state, in: &page)
        setPoll(state, in: &page)
        setSchedule(state, in: &page)
        return Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: PageController.policy],
            body: .init(byteBuffer: .init(bytes: page.html("compose"))))
    }

    private func setText(_ state: ComposeForm, in page: inout PageContext) {
        let limits = settings.limits
        page.set(.formAction, state.edited.map { "/statuses/\($0.id)/edit" } ?? "/compose")
        page.set(.submit, state.edited == nil ? page.text.post : page.text.save)
        page.set(.editing, state.edited != nil)
        page.set(.notice, state.notice)
        page.set(.message, state.message(at: .text))
        page.set(.statusText, state.text)
        page.set(.textLimit, String(limits.statusCharacters))
        page.set(.linkLength, String(limits.linkLength))
        page.set(.spoiler, state.spoilerText)
        page.set(.key, state.edited == nil ? state.key : nil)
        page.set(.next, state.next?.text)
        page.set(.url, state.next?.text ?? state.edited.map { "/@\($0.account.username)/\($0.id)" })
        page.set(.replyID, state.replyID.map { String($0) })
        page.set(.replyName, state.target.map { $0.account.displayNameOrUsername })
        page.set(.replyURL, state.target.map { "/@\($0.account.username)/\($0.id)" })
    }

    /// A reply offers no visibility to more people than the status has.
    private func setChoices(_ state: ComposeForm, in page: inout PageContext) {
        let widest = state.target?.visibility.rawValue ?? 0
        let offered = Self.visibilities.filter { $0.rawValue >= widest }
        page.set(
            .visibilities,
            .list(
                TemplateValues.options(
                    offered.map { ($0.apiName, page.text.visibility($0)) }, selected: state.visibility.apiName)))
        page.set(
            .languages,
            .list(
                TemplateValues.options(
                    PostLanguages.choices(with: state.language, page.text), selected: state.language ?? "")))
    }

    private func setMedia(_ state: ComposeForm, in page: inout PageContext) {
        let left = acceptsMedia ? settings.limits.media.perStatus - state.files.count : 0
        page.set(.mediaPart, left > 0 || !state.files.isEmpty)
        page.set(.mediaError, state.message(at: .media))
        page.set(.mediaLeft, left <= 0 ? nil : page.text.moreFiles(left, hasFiles: !state.files.isEmpty))
        page.set(.hidesMedia, state.hidesMedia)
        page.set(.descriptionLimit, String(settings.limits.media.descriptionCharacters))
        page.set(.describing, !state.files.isEmpty)
        page.set(
            .attachments, .list(state.files.indices.map { TemplateValues(state.files[$0], number: $0, page.text) }))
    }

    private func setPoll(_ state: ComposeForm, in page: inout PageContext) {
        let (poll, count) = (state.poll, PollLimits.options.upperBound)
        let options = (poll.options + Array(repeating: "", count: count)).prefix(max(count, poll.options.count))
        page.set(.pollFields, .list(options.enumerated().map { TemplateValues(pollOption: $1, number: $0 + 1) }))
        page.set(.pollUsed, !poll.isEmpty || state.message(at: .poll) != nil)
        page.set(.pollError, state.message(at: .poll))
        page.set(.pollResets, state.edited?.poll != nil)
        page.set(.pollMultiple, poll.isMultiple)
        page.set(.pollHidesTotals, poll.hidesTotals)
        let kept =
            state.edited?.poll.map { [("", page.text.asItIs(until: page.locale.date($0.expiresAt)))] } ?? []
        let durations = Self.durations.map { (String($0.seconds), page.text.duration($0)) }
        page.set(.durations, .list(TemplateValues.options(kept + durations, selected: poll.seconds)))
    }

    private func setSchedule(_ state: ComposeForm, in page: inout PageContext) {
        page.set(.scheduling, state.edited == nil)
        page.set(.scheduleUsed, !state.scheduledAt.isEmpty)
        page.set(.scheduledAt, state.scheduledAt)
        page.set(.timeZone, state.zone.name)
        page.set(.scheduleError, state.message(at: .schedule))
        page.set(.scheduleDelay, String(ScheduledStatusRule.minimumDelay / 60_000))
    }
}

extension ComposeForm {
    fileprivate func message(at part: Part) -> String? { refusal.flatMap { $0.part == part ? $0.message : nil } }
}

extension TemplateValues {
    /// The options of a `select`.
    fileprivate static func options(_ all: [(value: String, label: String)], selected: String) -> [TemplateValues] {
        all.map { value, label in
            var values = TemplateValues()
            values.set(.value, value)
            values.set(.label, label)
            values.set(.selected, value == selected)
            return values
        }
    }

    /// A file that has been uploaded. The values that are not set must not have the name of a value of the page.
    fileprivate init(_ file: ComposeAttachment, number: Int, _ text: any PageText) {
        self.init()
        set(.id, String(file.id))
        set(.attachmentNumber, String(number))
        set(.mediaLabel, text.numbered(MediaText.summary(of: [file.media], text), number + 1))
        set(.mediaPreview, file.media.previewPath ?? (file.media.kind == .image ? file.media.path : nil))
        set(.mediaText, file.description)
        guard file.media.kind == .image else { return }
        set(.focusing, true)
        let focus = file.focus.nonEmpty ?? "0,0"
        let isKnown = ComposeFocus(rawValue: focus) != nil
        let choices =
            ComposeFocus.allCases.map { ($0.rawValue, text.focus($0)) } + (isKnown ? [] : [(focus, text.asItIs)])
        self[.focuses] = .list(Self.options(choices, selected: focus))
    }

    fileprivate init(pollOption text: String, number: Int) {
        self.init()
        set(.pollNumber, String(number))
        set(.pollTitle, text)
    }
}

/// The languages that the page offers for a post.
enum PostLanguages {
    /// - Parameter chosen: A language that is offered, too: that of the account or of the edited status.
    static func choices(with chosen: String?, _ text: any PageText) -> [(value: String, label: String)] {
        let all = names[text.language] ?? english
        guard let chosen, !chosen.isEmpty else { return [("", text.languageNotStated)] + all }
        return all.contains { $0.value == chosen } ? all : [(chosen, chosen)] + all
    }

    private static let names = Dictionary(uniqueKeysWithValues: PageLanguage.allCases.map { ($0, names(in: $0)) })

    /// The names in a language, in its alphabetical order; Chinese names in the order of the English ones.
    private static func names(in language: PageLanguage) -> [(value: String, label: String)] {
        guard language != .english else { return english }
        let locale = Locale(identifier: language.rawValue)
        let names = english.map { value, label in
            (value: value, label: locale.localizedString(forLanguageCode: value) ?? label)
        }
        guard language != .chinese else { return names }
        return names.sorted { sortKey($0.label) < sortKey($1.label) }
    }

    private static func sortKey(_ name: String) -> String { name.folding(options: .diacriticInsensitive, locale: nil) }

    /// The codes of ISO 639 with the English names, in their order.
    private static let english: [(value: String, label: String)] = [
        ("af", "Afrikaans"), ("sq", "Albanian"), ("am", "Amharic"), ("ar", "Arabic"), ("hy", "Armenian"),
        ("az", "Azerbaijani"), ("eu", "Basque"), ("be", "Belarusian"), ("bn", "Bengali"), ("bs", "Bosnian"),
        ("br", "Breton"), ("bg", "Bulgarian"), ("my", "Burmese"), ("ca", "Catalan"), ("zh", "Chinese"),
        ("hr", "Croatian"), ("cs", "Czech"), ("da", "Danish"), ("nl", "Dutch"), ("en", "English"),
        ("eo", "Esperanto"), ("et", "Estonian"), ("fo", "Faroese"), ("fi", "Finnish"), ("fr", "French"),
        ("gl", "Galician"), ("ka", "Georgian"), ("de", "German"), ("el", "Greek"), ("gu", "Gujarati"),
        ("ha", "Hausa"), ("he", "Hebrew"), ("hi", "Hindi"), ("hu", "Hungarian"), ("is", "Icelandic"),
        ("ig", "Igbo"), ("id", "Indonesian"), ("ia", "Interlingua"), ("ga", "Irish"), ("it", "Italian"),
        ("ja", "Japanese"), ("kn", "Kannada"), ("kk", "Kazakh"), ("km", "Khmer"), ("ko", "Korean"),
        ("ku", "Kurdish"), ("ky", "Kyrgyz"), ("lo", "Lao"), ("la", "Latin"), ("lv", "Latvian"),
        ("lt", "Lithuanian"), ("lb", "Luxembourgish"), ("mk", "Macedonian"), ("ms", "Malay"), ("ml", "Malayalam"),
        ("mt", "Maltese"), ("mr", "Marathi"), ("mn", "Mongolian"), ("ne", "Nepali"), ("no", "Norwegian"),
        ("nb", "Norwegian Bokmål"), ("nn", "Norwegian Nynorsk"), ("oc", "Occitan"), ("ps", "Pashto"),
        ("fa", "Persian"), ("pl", "Polish"), ("pt", "Portuguese"), ("pa", "Punjabi"), ("ro", "Romanian"),
        ("ru", "Russian"), ("gd", "Scottish Gaelic"), ("sr", "Serbian"), ("si", "Sinhala"), ("sk", "Slovak"),
        ("sl", "Slovenian"), ("so", "Somali"), ("es", "Spanish"), ("sw", "Swahili"), ("sv", "Swedish"),
        ("tl", "Tagalog"), ("ta", "Tamil"), ("te", "Telugu"), ("th", "Thai"), ("bo", "Tibetan"), ("tr", "Turkish"),
        ("uk", "Ukrainian"), ("ur", "Urdu"), ("uz", "Uzbek"), ("vi", "Vietnamese"), ("cy", "Welsh"),
        ("yi", "Yiddish"), ("yo", "Yoruba"), ("zu", "Zulu"),
    ]
}
