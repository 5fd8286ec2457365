import FeedCore
import Foundation

/// Paths given on the command line.
enum FolderPath {
    /// Refuses two folders of which one contains the other: a backup would contain earlier backups, and an empty data
    /// folder would not stay empty.
    /// - Throws: ``FeedError`` `.conflict`.
    static func refuseNesting(_ backup: String, data: String) throws(FeedError) {
        guard FolderNesting.overlap(resolved(backup), resolved(data)) else { return }
        throw FeedError(
            .conflict, "the data folder and the backup folder must not contain each other",
            hint: "Choose a folder elsewhere, preferably on another disk.")
    }

    /// The absolute path without symbolic links; the last segments need not exist.
    private static func resolved(_ path: String) -> String {
        var url = URL(fileURLWithPath: path).standardizedFileURL
        var rest: [String] = []
        while url.path != "/" {
            if let real = realpath(url.path, nil) {
                defer { free(real) }
                return ([String(cString: real)] + rest).joined(separator: "/")
            }
            rest.insert(url.lastPathComponent, at: 0)
            url.deleteLastPathComponent()
        }
        return "/" + rest.joined(separator: "/")
    }
}

extension FeedError {
    /// The same error with the name of the full disk.
    func onDisk(of folder: String) -> FeedError {
        guard kind == .diskFull else { return self }
        return FeedError(
            .diskFull, "the disk that holds \(folder) is full",
            hint: "Free some space on it, then run the command again; it continues where it stopped.", cause: cause)
    }
}
