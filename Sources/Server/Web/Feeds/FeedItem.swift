import Crypto
import FeedCore
import Foundation

/// A status in a feed.
struct FeedItem: Sendable, Equatable {
    /// A status that another one replies to.
    struct Parent: Sendable, Equatable {
        var id: String
        var url: String
    }

    var id: String
    var url: String
    var title: String
    /// The content warning, which readers show instead of the content until it is opened.
    var warning: String?
    /// Complete, safe HTML with absolute addresses.
    var html: String
    var published: Int64
    var updated: Int64
    var author: FeedPage.Author
    var language: String?
    var tags: [String] = []
    var attachments: [FeedAttachment] = []
    var isSensitive = false
    var parent: Parent?
    /// The address of the feed of the replies without the extension of its format.
    var replies: String

    /// The time of the last edit; `nil` for an item that was never edited.
    var edited: Int64? { updated > published ? updated : nil }
}

/// A file of an item.
struct FeedAttachment: Sendable, Equatable {
    var url: String
    var type: String
    var kind: MediaKind
    /// The size in bytes.
    var size: Int64
    /// The alternative text.
    var text: String?
    var meta = MediaMeta()
}

extension FeedItem {
    /// A status as an item.
    /// - Parameter base: The address of the server without a trailing slash.
    init(_ status: Status, _ ids: FeedIdentifier, _ emoji: EmojiSet, base: String) {
        let author = FeedPage.Author(status.account, base: base)
        let url = author.url + "/" + String(status.id)
        self.init(
            id: ids.status(status.id), url: url, title: Self.title(of: status),
            warning: status.warningLine.map(FeedText.line),
            html: FeedItemHTML(status: status, emoji: emoji, base: base).content, published: status.createdAt,
            updated: max(status.createdAt, status.editedAt ?? 0), author: author,
            language: FeedText.language(status.language), tags: Self.tags(of: status),
            attachments: status.media.map { FeedAttachment($0, base: base) }, isSensitive: status.sensitive,
            parent: status.inReplyToID.map { Parent(id: ids.status($0), url: base + "/statuses/\($0)") },
            replies: url + "/feed")
    }

    /// The title of a status: its warning, or the beginning of its text.
    static func title(of status: Status) -> String {
        let title = FeedText.title(status.warningLine ?? status.text)
        if !title.isEmpty { return title }
        let media = MediaText.summary(of: status.media)
        return media.isEmpty ? "Post by @" + status.account.username : media
    }

    /// The hashtags as written, each once.
    static func tags(of status: Status) -> [String] {
        var keys: Set<String> = []
        return status.tags.filter { keys.insert(Hashtag.key($0)).inserted }.map(FeedText.line)
    }
}

extension FeedPage.Author {
    init(_ account: Account, base: String) {
        let name = FeedText.line(account.displayName)
        self.init(
            name: name.isEmpty ? account.username : name, url: base + "/@" + account.username,
            picture: base + account.avatarPath)
    }
}

extension FeedAttachment {
    init(_ media: MediaAttachment, base: String) {
        self.init(
            url: base + media.path, type: media.format.mediaType, kind: media.kind, size: media.size,
            text: media.description.map(FeedText.line)?.nonEmpty, meta: media.meta)
    }
}

/// Makes the ids of feeds and items: name-based UUIDs (RFC 9562 §5.5) in the namespace of the feed's random id. They
/// stay the same when the host changes, and after a restored backup or a copy into another database.
struct FeedIdentifier: Sendable {
    let namespace: UUID

    func site() -> String { urn("site") }
    func account(_ id: Int64) -> String { urn("account/\(id)") }
    func tag(_ key: String) -> String { urn("tag/" + key) }
    func status(_ id: Int64) -> String { urn("status/\(id)") }
    func replies(to id: Int64) -> String { urn("replies/\(id)") }

    private func urn(_ name: String) -> String {
        var hash = Insecure.SHA1()
        withUnsafeBytes(of: namespace.uuid) { hash.update(bufferPointer: $0) }
        hash.update(data: Data(name.utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        let uuid = bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        return "urn:uuid:" + UUID(uuid: uuid).uuidString.lowercased()
    }
}

/// The content of an item as HTML: the text, the media and the poll of a status. As on the pages, a content warning
/// hides all of it, and sensitive media is hidden on its own.
struct FeedItemHTML {
    let status: Status
    let emoji: EmojiSet
    /// The address of the server, for relative addresses.
    let base: String

    var content: String {
        let body = emoji.shown(inHTML: status.content) + media + poll
        guard let warning = status.warningLine else { return absolute(body) }
        return absolute(Self.folded(warning, body))
    }

    private static func folded(_ summary: String, _ html: String) -> String {
        "<details><summary>" + FeedText.line(summary).escapedHTML + "</summary>" + html + "</details>"
    }

    private func absolute(_ html: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(localHTML: html, base: base)
        return FeedText.html(String(decoding: bytes, as: UTF8.self))
    }

    private var media: String {
        let html = status.media.map(media).joined()
        guard status.sensitive, status.spoilerText.isEmpty, !html.isEmpty else { return html }
        return Self.folded("Sensitive media: " + MediaText.summary(of: status.media), html)
    }

    private func media(_ media: MediaAttachment) -> String {
        let url = (base + media.path).escapedHTML
        let description = media.description?.nonEmpty ?? EnglishText().withoutDescription(media.kind)
        let text = FeedText.line(description).escapedHTML
        let link = "<a href=\"\(url)\">"
        switch media.kind {
        case .image:
            let preview = (base + (media.previewPath ?? media.path)).escapedHTML
            return "<p>\(link)<img src=\"\(preview)\" alt=\"\(text)\"></a></p>"
        case .video, .gifv: return "<p><video src=\"\(url)\" controls>\(link)\(text)</a></video></p>"
        case .audio: return "<p><audio src=\"\(url)\" controls>\(link)\(text)</a></audio></p>"
        case .unknown: return "<p>\(link)\(text)</a></p>"
        }
    }

    private var poll: String {
        guard let poll = status.poll else { return "" }
        let options = poll.options.map { option in
            let share = poll.showsTotals ? ": " + result(option, of: poll) : ""
            return "<li>" + (FeedText.line(option.title) + share).escapedHTML + "</li>"
        }
        let end = (poll.isExpired ? "Closed " : "Open until ") + PageDate.full(poll.expiresAt)
        return "<p>Poll:</p><ul>" + options.joined() + "</ul><p>\(PagePoll.summary(of: poll)), \(end)</p>"
    }

    private func result(_ option: Poll.Option, of poll: Poll) -> String {
        "\(PagePoll.percentage(option.votesCount, of: poll.votersCount)) %, " + EnglishText().votes(option.votesCount)
    }
}

/// Plain texts of feeds, which readers show in lists, beside other texts, and in terminals.
enum FeedText {
    /// The maximum length of a title in characters, and of one character in scalars, on average.
    private static let (titleCharacters, scalarsPerCharacter) = (80, 4)

    /// A text in one line, without characters that change what surrounds it: controls and overrides of the direction.
    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        var needsSpace = false
        for scalar in text.unicodeScalars where !isDirectional(scalar) {
            if isControl(scalar) || scalar.properties.isWhitespace {
                needsSpace = !line.isEmpty
            } else if !isNoncharacter(scalar) {
                if needsSpace { line.append(" ") }
                needsSpace = false
                line.append(scalar)
            }
        }
        return String(line)
    }

    /// The beginning of a text, in one line.
    static func title(_ text: String) -> String {
        let line = line(String(text.prefix(8 * titleCharacters)))
        let start = line.prefix(titleCharacters).unicodeScalars.prefix(titleCharacters * scalarsPerCharacter)
        guard start.endIndex < line.endIndex else { return line }
        // Rather a whole word, unless that is much shorter.
        let space = start.lastIndex { $0 == " " }.flatMap { line[..<$0].count > titleCharacters / 2 ? $0 : nil }
        return String(line[..<(space ?? start.endIndex)]) + "…"
    }

    /// HTML without control characters, which mean nothing in it but something in a terminal.
    static func html(_ html: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in html.unicodeScalars where isBreak(scalar) || !isControl(scalar) && !isNoncharacter(scalar) {
            kept.append(scalar)
        }
        return String(kept)
    }

    /// A language tag (RFC 5646 §2.1), which may be anything in a status.
    static func language(_ text: String?) -> String? {
        text.flatMap { LanguageTag.isValid($0) ? $0 : nil }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }

    private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
    }
}
