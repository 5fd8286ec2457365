extension DoctorCheck {
    /// The plausible years: 2024 to 2099.
    private static let plausible: Range<Int64> = 1_704_067_200_000..<4_102_444_800_000
    /// How far the newest id may be ahead of the clock, in milliseconds: until a warning, and until a problem.
    private static let (tolerance, maximum): (Int64, Int64) = (10_000, 3_600_000)

    /// Ids are times. A clock that is behind them gives new statuses the time of the newest one.
    @Sendable static func clock(_ facts: DoctorFacts) -> DoctorFinding? {
        let remedy = "Set the clock, and keep it right with NTP (timedatectl set-ntp true)."
        guard plausible.contains(facts.now) else { return .problem("the date of this machine is wrong", remedy) }
        guard case .usable(let database) = facts.database, database.newest > facts.now + tolerance else {
            return .ok("the date is plausible, and nothing in the database is from the future")
        }
        let message = "it is \((database.newest - facts.now) / 1000) seconds behind the newest entry of the database"
        return database.newest - facts.now > maximum ? .problem(message, remedy) : .warning(message, remedy)
    }
}
