import FeedAPI
import FeedCore

extension JSONWriter {
    /// Writes a MediaAttachment entity.
    mutating func media(_ media: MediaAttachment, _ entities: EntityContext) {
        object {
            $0.field("id", id: media.id)
            $0.field("type", media.kind.rawValue)
            $0.key("url")
            $0.string(entities.base, media.path)
            $0.key("preview_url")
            // Without a thumbnail, an image is its own preview.
            if let path = media.previewPath ?? (media.kind == .image ? media.path : nil) {
                $0.string(entities.base, path)
            } else {
                $0.null()
            }
            $0.remoteAddresses()
            $0.meta(media.meta, media.focus)
            $0.field("description", media.description)
            $0.field("blurhash", media.blurhash)
        }
    }

    /// Writes a MediaAttachment entity, without addresses if it has not been processed yet.
    mutating func media(_ stored: StoredMedia, _ entities: EntityContext) {
        if let attachment = stored.attachment { return media(attachment, entities) }
        object {
            $0.field("id", id: stored.id)
            $0.field("type", MediaKind.unknown.rawValue)
            for name: StaticString in ["url", "preview_url"] { $0.field(name, nil) }
            $0.remoteAddresses()
            $0.meta(MediaMeta(), stored.focus)
            $0.field("description", stored.description)
            $0.field("blurhash", nil)
        }
    }

    /// Writes the addresses that only media of other servers have, and a removed one that some clients require.
    private mutating func remoteAddresses() {
        for name: StaticString in ["remote_url", "preview_remote_url", "text_url"] { field(name, nil) }
    }

    private mutating func meta(_ meta: MediaMeta, _ focus: MediaFocus?) {
        object("meta") {
            if meta.width != nil || meta.milliseconds != nil {
                $0.size("original", meta.width, meta.height, milliseconds: meta.milliseconds)
            }
            if meta.thumbnailWidth != nil { $0.size("small", meta.thumbnailWidth, meta.thumbnailHeight) }
            guard let focus else { return }
            $0.object("focus") {
                $0.key("x")
                $0.decimal(thousandths: Int64((focus.x * 1000).rounded()))
                $0.key("y")
                $0.decimal(thousandths: Int64((focus.y * 1000).rounded()))
            }
        }
    }

    private mutating func size(_ name: StaticString, _ width: Int?, _ height: Int?, milliseconds: Int64? = nil) {
        object(name) {
            if let width, let height, width > 0, height > 0 {
                $0.field("width", width)
                $0.field("height", height)
                $0.field("size", "\(width)x\(height)")
                $0.key("aspect")
                // Far beyond any picture, but within the range of integers.
                $0.decimal(thousandths: Int64((min(Double(width) / Double(height), 1e12) * 1000).rounded()))
            }
            if let milliseconds {
                $0.key("duration")
                $0.decimal(thousandths: milliseconds)
            }
        }
    }
}
