/// A name in a template. Templates refer to values by index, so that rendering looks up no names.
enum TemplateName: Int, CaseIterable, Sendable {
    // Every page
    case site, siteText, host, title, heading, pageLanguage, description, styleURL, scriptURL, iconURL, contact,
        contactAccount
    case contactEmail, feeds, feedURL, feedTitle, feedLink
    // The web reader
    case canonical, image, imageText, live, newest, statuses, empty, feedEmptyText, older, newer, profile, error, code,
        message
    case hint, noindex, threadStart, threadEnd, searching, query, searchIncomplete,
        unknownOperator
    // A status or a profile
    case id, url, name, handle, accountURL, avatar, datetime, dateText, content, focus, spoiler, language, source
    case visibility, boost, boostedBy, boostedByURL, boostedAt, edited, editedText, categories, repliesText, treeStart,
        treeEnd
    case replyURL, replyName, replies, boosts, favourites, badge, note, followers, following
    case joined, city
    // The media of a status
    case media, mediaSummary, sensitive, gallery, galleryCount, pictures, picture, video, recordings, audio, mediaURL
    case mediaNumber, file, caption, mediaPreview, mediaText, mediaLabel, mediaWidth, mediaHeight, mediaColor, focusX,
        focusY
    // The poll of a status
    case poll, pollOptions, pollTitle, pollShare, pollVotes, pollSummary, pollHidden, pollClosed, pollEnd, pollEndText
    // Forms
    case form, program, website, scopes, target, fields, value, username, denied, csrfToken, inviter, approval, email,
        reason
    case usernameError, emailError, passwordError, reasonError, agreementError, hasRules, rules,
        agrees, ready, pending, server
    // Sessions
    case groups, people, signUpText, loginURL
    case navigation, links, moreLinks, current, member, consenter, signUp, next, statusText, key, replyID, visibilities,
        label, selected
    case notifications, action, excerpt
    // Profiles and accounts in lists
    case headerURL, badges, hasProfileFields, profileFields, fieldName, fieldValue, showsPeople, tabs, tabURL, tabLabel,
        tabIsCurrent
    case relation, followState, states, buttons, moreButtons, muteForm, privateNote, pinnedPosts, personRows,
        personNote, hasPeople,
        hasButtons
    case buttonPath, buttonLabel, buttonOf, buttonNext, buttonID, buttonMain, buttonOtherPath, buttonOtherLabel,
        buttonState, backURL, backText
    // Reports and notes
    case reportForm, done, formText, formName, reportedID, reportReasons, isFirst, isLast, ruleRows, commentLabel,
        comment,
        submitLabel
    // Lists, hashtags, conversations and notifications
    case pageTools, toolLinks, toolURL, toolText, hasForms, listForm, lineForm, question, formPath, cancelURL, policies,
        exclusives
    case rows, hasRows, rowURL, rowTitle, unread, others, otherAccounts, othersText
    case peopleHeading, rowsHeading, postsHeading, morePeople, moreRows, moreRowsText
    // The operator's pages
    case administration, toDo, removalURL, factSheet, factHeading, facts, factName, factValue, factURL, factNote,
        rowFacts
    case invitationForm, uses, maximumUses, days, maximumDays, accountSearch, displayName, accountStates, staffOnly
    case resetURL, resetEnd
    // What a member can do with a status
    case actions, nextQuery, own, favourited, boostable, boosted, bookmarked, pinnable, pinned, voting, multiple
    case pollNumber, chosen, deletion
    // The form for posts
    case formAction, submit, editing, notice, textLimit, linkLength, languages, mediaPart, mediaError, mediaLeft
    case hidesMedia, descriptionLimit, describing, attachments, attachmentNumber, focusing, focuses, pollFields,
        pollUsed, pollError
    case pollResets, pollMultiple, pollHidesTotals, durations, scheduling, scheduleUsed, scheduledAt, scheduleError
    case scheduleDelay
    // Settings
    case theme, readerZone, formImage, timeZone, filtered, secret, forms, formHeading, formNotes, formMethod, formFiles,
        formError,
        inputs, inputHidden, inputName,
        inputValue
    case inputID, inputLabel, inputLine, inputAutocomplete, inputRequired, inputError, inputDescribed, inputFile
    case inputAccepts, inputMultiple, inputArea, inputSelect, inputChoices, inputCheck, inputOn, inputChecks, inputHint

    static let count = allCases.count

    /// All keys by their names in templates.
    static let named = Dictionary(uniqueKeysWithValues: allCases.map { (String(describing: $0), $0) })
}
