/// The priority of a waiting download.
public enum DownloadPriority: Int, Sendable, Comparable, CaseIterable {
    case low, normal, high

    public static func < (left: DownloadPriority, right: DownloadPriority) -> Bool { left.rawValue < right.rawValue }
}
