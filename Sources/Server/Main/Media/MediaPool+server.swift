import FeedFiles
import Logging
import Synchronization

extension MediaPool {
    /// The pool of a server. It logs once which restrictions of its processes the kernel refuses.
    static func serving(_ blobs: BlobStore, logger: Logger) -> MediaPool {
        let isReported = Mutex(false)
        return MediaPool(blobs: blobs) { missing in
            let isFirst = isReported.withLock { reported in
                defer { reported = true }
                return !reported
            }
            guard isFirst else { return }
            logger.warning("images are processed with fewer restrictions", metadata: ["missing": "\(missing)"])
        }
    }
}
