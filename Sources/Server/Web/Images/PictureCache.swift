import NIOCore
import Synchronization

/// A cache of generated pictures with a maximum size. A picture depends only on its key.
package final class PictureCache: Sendable {
    /// The approximate size of an entry in bytes, in addition to its key and its picture.
    private static let overhead = 256

    private let limit: Int
    private let pictures = Mutex<(bytes: Int, byKey: [String: ByteBuffer])>((0, [:]))

    /// - Parameter limit: The maximum total size in bytes. If a new picture would exceed it, the cache is emptied first.
    package init(limit: Int) { self.limit = limit }

    /// The picture for `key`. It is not rendered on an event loop, because that would delay other clients.
    func picture(_ key: String, render: @Sendable @escaping () -> [UInt8]) async -> ByteBuffer {
        if let known = pictures.withLock({ $0.byKey[key] }) { return known }
        let picture = await withTaskExecutorPreference(globalConcurrentExecutor) { ByteBuffer(bytes: render()) }
        pictures.withLock { pictures in
            let cost = picture.readableBytes + key.utf8.count + Self.overhead
            guard cost <= limit else { return }
            if pictures.bytes + cost > limit { pictures = (0, [:]) }
            if pictures.byKey.updateValue(picture, forKey: key) == nil { pictures.bytes += cost }
        }
        return picture
    }
}
