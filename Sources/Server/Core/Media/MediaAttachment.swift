/// A media file that is attached to a status.
package struct MediaAttachment: Sendable, Equatable {
    package var id: Int64
    package var kind: MediaKind
    package var format: MediaFormat
    /// The path of the file on this server, `/media/RANDOM/NAME`.
    package var path: String
    /// The path of the thumbnail on this server; `nil` if there is none.
    package var previewPath: String?
    package var description: String?
    package var focus: MediaFocus?
    package var blurhash: String?
    package var meta: MediaMeta

    package init(
        id: Int64, kind: MediaKind, format: MediaFormat, path: String, previewPath: String? = nil,
        description: String? = nil, focus: MediaFocus? = nil, blurhash: String? = nil, meta: MediaMeta = MediaMeta()
    ) {
        self.id = id
        self.kind = kind
        self.format = format
        self.path = path
        self.previewPath = previewPath
        self.description = description
        self.focus = focus
        self.blurhash = blurhash
        self.meta = meta
    }
}
