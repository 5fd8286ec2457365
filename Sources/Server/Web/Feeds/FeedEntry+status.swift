import FeedCore

extension FeedEntry {
    /// A status as an entry.
    /// - Parameter base: The address of the server without a trailing slash.
    init(_ status: Status, _ ids: FeedIdentifier, _ emoji: EmojiSet, base: String) {
        let author = FeedPage.Author(status.account, base: base)
        let url = author.url + "/" + String(status.id)
        self.init(
            id: ids.status(status.id), url: url, title: Self.title(of: status),
            warning: status.warningLine.map(FeedText.line),
            html: FeedHTML(status: status, emoji: emoji, base: base).content, published: status.createdAt,
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
