/// The number by which FTS5 knows a status. Numbers have the order of the ids, but are close to each other: with each
/// word of a status, FTS5 stores the difference to the status before, and differences of ids, which contain a time in
/// milliseconds, would be half of the index.
///
/// New statuses follow the highest number, and those that ``SearchBuild`` finds precede the lowest one. There is some
/// room between two numbers, for statuses that an import puts between others. Where that does not suffice, older
/// statuses leave the index, and ``SearchBuild`` adds them again, in the room that they have left. For some hundred
/// statuses in one place, an import removes ``maximumRemoved`` others; with several in each of many places, most of the
/// older ones leave once.
enum SearchNumber {
    /// The maximum number of statuses that leave the index for one.
    static let maximumRemoved = 500
    /// The first number. In the index, it takes four bytes, as do some million lower and higher ones.
    static let first: Int64 = 1 << 27

    private static let step: Int64 = 16
    /// The room for the statuses of one page of ``SearchBuild``, which adds the oldest one first, and for as many others.
    private static let page = 2 * step * Int64(SearchBuild.pageSize)

    /// The number of a status that comes some statuses after another.
    static func after(_ older: Int64, by count: Int64 = 1) -> Int64 { older &+ count * step }

    static func before(_ newer: Int64) -> Int64 { newer &- page }

    /// A number that leaves most of the room to the newer statuses of the same place, which usually follow.
    /// - Returns: `nil` if there is none.
    static func between(_ older: Int64, _ newer: Int64) -> Int64? {
        let room = newer &- older
        return room > 1 ? older &+ min(step, max(1, room / 1024)) : nil
    }

    /// A number that leaves most of the room to the statuses that have left the index for this one.
    /// - Parameter older: The number of the newest older status that is left; `nil` if none is.
    static func afterRemoval(_ older: Int64?, _ newer: Int64) -> Int64? {
        let room = older.map { newer &- $0 } ?? page
        return room > 1 ? newer &- max(1, room / 8) : nil
    }
}
