import CSandbox
import NIOCore
import NIOPosix

/// The priority of the threads that answer requests.
enum EventLoopPriority {
    /// Lets the event loops interrupt threads that compute, such as those that process images. A kernel that refuses it
    /// only answers later.
    static func raise() {
        for loop in NIOSingletons.posixEventLoopGroup.makeIterator() {
            loop.execute { _ = csandbox_shorten_slices() }
        }
    }
}
