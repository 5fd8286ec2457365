import Foundation

/// The file descriptors that connections leave to the rest of the process.
enum DescriptorReserve {
    /// Enough for the database, for files being sent, and for libdispatch, which ends the process if it cannot open its
    /// own `/proc` entries.
    private static let count = 16

    /// Whether a new descriptor would be taken from the reserve.
    ///
    /// The kernel assigns the lowest free number, so a number close to the limit means that few others are free. The limit
    /// is read each time, since `prlimit` changes it from outside.
    static var isNeeded: Bool {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        close(descriptor)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        return Int(descriptor) >= Int(clamping: limit.rlim_cur) - count
    }
}
