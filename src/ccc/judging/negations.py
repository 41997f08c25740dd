"""The words of eleven languages by which a sentence denies: what negates, what is good, what is wrong or mended.

Rule: tables and nothing else, imported only when words beside a verdict must be read. In a table of words a blank
separates, `_` is a blank, and every entry is a piece of a regular expression that stands as a whole word; Chinese,
Japanese and Korean entries stand anywhere.
"""

# ruff: noqa: RUF001

from __future__ import annotations

from msgspec import Struct


class Words(Struct, frozen=True):
    """One language. `none` says that there is none of something, `negated` turns a verb around."""

    idle: str = ""  # looks like one of the others, and says nothing
    mended: str = ""  # whatever was wrong is so no longer; negated, it still is
    meant: str = ""  # it was so once, or it is meant to be so
    denied: str = ""  # holds its own negation: it is not known, or not what it should be
    fault: str = ""  # says by itself that something is wrong, left to do or ordered
    hint: str = ""  # says so only right beside the verdict, or in a title
    none: str = ""
    negated: str = ""
    good: str = ""  # negated, it says that the work is not done


_FAULTY = (
    r"(?:missing|broken|red|incomplete|unfinished|undone|failing|wrong|unresolved|unmet|absent|lacking|inadequate"
    r"|untested"
    r"|insufficient|unacceptable|unusable|unverified|unclear|unproven|untrue|misleading|premature|violated|missed"
    r"|unsolved"
    r"|skipped|forgotten|ignored|unimplemented|untranslated|partial|stale|blocked|pending|outstanding|invalid"
    r"|inconsistent"
    r"|empty|open|unfulfilled|unsatisfied|unsatisfactory|buggy|flaky|outdated|a_mess|half-done|half-finished"
    r"|superficial"
    r"|fabricated|invented|unsupported|failed|unaddressed|unchanged_and_wrong|hard-coded|hardcoded|commented_out)"
)
_THINGS = (
    r"(?:bugs?|issues?|problems?|errors?|failures?|defects?|gaps?|todos?|regressions?|conflicts?|doubts?|concerns?"
    r"|faults?"
    r"|reservations?|omissions?|mistakes?|loose_ends?|leftovers?|flaws?|findings?|blockers?|objections?|complaints?"
    r"|exceptions?|inconsistenc(?:y|ies)|vulnerabilit(?:y|ies)|crash(?:es)?|open_\w+|failing_\w+|missing_\w+"
    r"|un\w+ed_\w+)"
)
_MANY = (
    r"(?:[1-9]\d*|a|an|one|two|three|four|five|six|seven|several|some|many|few|a_few|multiple|another|serious|still)"
)
_WORK = r"(?:agent|claude|assistant|developer|author|you|we|this|it|work|that|code|implementation|task|pr|branch)"
_TODO_VERB = (
    r"(?:fix|run|rerun|re-run|add|write|finish|complete|update|implement|repair|correct|check|verify|make|remove"
    r"|address"
    r"|resolve|send|do|test|rebuild|revert|rework|redo|mend|replace|investigate|address|provide|show|paste|commit"
    r"|push|handle)"
)
_DONE_VERB = (
    r"(?:fixed|added|resolved|updated|written|run|tested|done|implemented|finished|completed|addressed|repaired"
    r"|corrected"
    r"|removed|mended|rerun|verified|merged|documented|rewritten|redone|checked|handled|improved|covered|reverted"
    r"|cleaned)"
)

# What was not done to the work is missing; what was not done to the rest of the world is well.
_NOT_DONE = (
    r"(?:(?<=not_)|(?<=never_)|(?<=not_been_)|(?<=n't_))(?!chang|modif|weaken|touch|remov|disabl|affect|delet|alter"
    r"|skip|expos"
    r"|leak|stor|logg|requir|need|us|ask|expect|reject|ignor|lost|exceed|embed|speed|allow|want|intend|limit|block"
    r"|break|reus"
    r"|overwr|cach|duplicat|swallow|crash|fail)\w+ed"
)
# Words that un- does not turn into a fault.
_UN = (
    r"un(?!it|til|less|der|ique|ion|ified|changed|touched|affected|limited|ambiguous|iversal|icode|likely"
    r"|usual)\w+(?:ed|y|able|ible|en|ful|d)"
)

# How a program ends that crashed. As the last word of a clause it is an outcome; elsewhere it may be a subject.
_CRASH = (
    r"(?:segmentation_fault|seg_?faults?|core_dumps?|core_dumped|bus_error|stack_overflow|panic|sig(?:segv|abrt"
    r"|kill|bus|ill|fpe)"
    r"|traceback|(?:unhandled|uncaught)_(?:\w+_)?(?:exception|error|rejection)|access_violation|illegal_instruction"
    r"|deadlock|null_?pointer_(?:exception|dereference)|floating_point_exception|double_free|kernel_panic)"
)
_DEALS_WITH = (
    r"(?:handles?|handled|surviv\w+|recover\w*_from|avoid\w*|prevent\w*|cover\w*|catch(?:es)?|caught|against"
    r"|tests?_for|cause_of"
    r"|fix_for|fix(?:es|ed)|about|reproduc\w+|instead_of|rather_than)"
)
# What is wrong with a program, in any of the languages that leave blanks; with it, `still` says that it is not mended.
_DEFECT = (
    r"(?:bugs?|crash(?:es)?|bogues?|erreurs?|problèmes?|défauts?|pannes?|régressions?|fuites?|plantages?|fallos?"
    r"|fallas?"
    r"|errore?s?|errori|problemas?|defectos?|fugas?|regresión|regresiones|erros?|falhas?|defeitos?|vazamentos?"
    r"|regressão"
    r"|problem[ai]|difett[oi]|anomali[ae]|regression[ei]|fehler|probleme?|abst[uü]rze?|mangel|mängel|lecks?"
    r"|regression(?:en)?"
    r"|fout|fouten|probleem|problemen|lek|ошиб\w+|проблем\w*|баг\w*|дефект\w*|сбо[йи]\w*|утечк\w+|issue|problem"
    r"|defect|error"
    r"|failure|leak|race|hang|deadlock|vulnerability)"
)
_STILL = (
    r"(?:toujours|encore|siguen?|continúan?|todavía|aún|continuam?|ainda|seguem?|permane(?:ce[mn]?|cen)|ancora"
    r"|tuttora|continuano"
    r"|rimane|rimangono|immer_noch|noch_immer|nach_wie_vor|weiterhin|weiter|nog_steeds|nog_altijd|вс[её]_ещ[её]"
    r"|по-прежнему"
    r"|still)"
)
_NOT_STILL = r"(?:pas|plus|no|non|não|nicht|niet|не|never|not|sin|sem|ya|já|now|jetzt|ora|nu)"
# A fault that is still dealt with is none.
_TREATED = (
    r"(?:handl|log|report|caught|shown|raised|returned|reject|cover|test|fix|clear|explain|gér|journalis|signal"
    r"|captur|trait"
    r"|intercept|affich|corrig|gestion|registr|manej|trat|regist|gestit|segnal|mostra|abgefangen|gemeldet"
    r"|behandelt|protokolliert"
    r"|angezeigt|behoben|afgehandeld|gemeld|opgelost|обраб|перехват|логир|исправ)"
)
_PERSISTS = rf"{_DEFECT}(?:_(?!{_NOT_STILL}_)[\w'’]+){{0,4}}_{_STILL}(?!(?:_\w+)?_{_TREATED})"
# More of it is wanted, in the words of one who does not say that it is needed.
_AGAIN = (
    r"(?:another|one_more|(?:a_)?further|more|a_second|additional|extra|a_closer|some_more)_(?:\w+_){0,2}(?:pass"
    r"|round|iteration"
    r"|look|attempt|try|review|cycle|go|turn|run|effort|work|changes?|tests?|testing|attention|investigation|polish)"
    r"_(?:would_(?:help|not_hurt)|(?:is|are|was|were|would_be|seems|seem)_(?:\w+_)?(?:warranted|called_for"
    r"|advisable|in_order|due|justified"
    r"|recommended"
    r"|appropriate|worthwhile|desirable|indicated|sensible|overdue|advised|good|welcome|helpful|useful|wise))"
)
_WANTED_AGAIN = (
    r"(?:rewrite|rework|redesign|fix|follow-?up|cleanup|correction|revision|retry|rerun)_(?:is|are"
    r"|seems)_(?:\w+_)?(?:warranted|called_for|advisable|in_order|due|overdue)"
)
_FIND_OUT = (
    r"(?:verify|confirm|(?:tell|say|know)(?=_(?:whether|if|that|for_(?:sure|certain)|from|how|yet)\b|\W*$)"
    r"|check(?!_(?:in|out)\b)|judge|determine|validate|ensure|prove|establish|assess|ascertain|guarantee"
    r"|vouch|rule_out|exclude|see_(?:if|whether)|be_(?:sure|certain|verified|confirmed|checked|determined"
    r"|validated|proven|assessed"
    r"|established|judged|ruled_out))"
)
_SHOULD_BE = (
    r"(?:expected|specified|required|requested|documented|desired|promised|agreed|prescribed|demanded|intended|wanted)"
)
_GIVES = (
    r"(?:print|return|give|yield|produce|show|display|emit|output|render|generate|deliver|send|write|report|raise"
    r"|contain|have"
    r"|answer_with|respond_with)s?"
)

ENGLISH = Words(
    idle=(
        rf"{_DEALS_WITH}_(?:\w+_){{0,3}}{_CRASH} (?:approval|stopping|completion|permission|stop)_is_(?:\w+_)?warranted"
        r" not_only not_just no_matter not_to_mention no_longer_than error[\s-](?:handling|message|messages|page"
        r"|path|paths"
        r"|case|cases|code|codes|class|type|types|log) bug_fix(?:es)? issue_tracker no_(?:further_|more_)?(?:action"
        r"|steps?)_(?:is_|are_)?(?:required|needed|necessary) nothing_(?:else_)?(?:to_add|to_say) regression_tests?"
        r" test_failures?_are"
        r" problem_statement"
        r" open_source failure_(?:mode|case|path)s? must-have no_doubt (?:failed_)?(?:tests|failures?|errors?"
        r"|failed|warnings?)\W{1,3}0(?!\d)"
    ),
    mended=r"fixed mended repaired resolved corrected solved closed gone answered",
    meant=(
        r"now_(?:pass|passes|passing|works?|green|has|have|loads?|returns?|all|it|fine|ok|is|are|both|runs?"
        r"|succeeds?|exits?)"
        r" (?:pass|passes|works?|green|fine|loads?|gone|it_is|does|do|is|are|clean)_now again_(?:green|works?)"
        r" no_longer"
        r" any_more anymore as_(?:the_user_)?(?:asked|demanded|requested|specified|designed|expected|required"
        r"|agreed|wanted"
        r"|intended|planned|documented|it_should|promised) by_design on_purpose intentional(?:ly)? out_of_scope"
        r" which_is_(?:fine|expected|correct|right|what|ok|okay|intended|documented|allowed|harmless)"
        r" (?<!not_)what_was_(?:asked|wanted)"
        r" at_first initially previously originally formerly earlier used_to yesterday first_(?:attempt|try|run"
        r"|look|round)"
        r" before_the_(?:fix|change) user_(?:only_)?(?:asked|said|wanted|told)_(?:\w+_)?(?:not|only|to_leave)"
        r" user_(?:did_not|didn['’]t)_(?:ask|want) user_only_\w+ test_(?:proves|holds|covers|shows) is_documented"
        r" (?:is|are|was|were|been|agent)_(?:all_|properly_)?(?:tested|covered|handled|logged|addressed)"
        r" were_(?:written|added|finished"
        r"|answered)"
        r" (?:comes?|came)_from_a_dependency part_of_the_request expected_that without_the_fix harmless green_again"
        r" (?:has|have)_been_(?:added|written|removed) (?:was|were)_failing_(?:before|until)"
    ),
    denied=(
        r"(?:cannot|can_not|could_not|\w+n['’]t|unable_to|(?:not|never)_(?:been_)?able_to|impossible_to|(?:not"
        r"|hardly)_possible_to"
        rf"|no_way_(?:to|of)|no_means_(?:to|of)|hard_to|difficult_to|failed_to)_(?:really_|fully_|yet_|even_|be_"
        rf"|\w+ly_)?{_FIND_OUT}"
        r" (?:not_sure|unsure|not_certain|uncertain|unknown|not_known|not_clear|don['’]t_know|do_not_know|no_idea"
        r"|remains_to_be_seen"
        r"|anyone['’]s_guess)(?=_(?:whether|if|that|how)\b|\W*$)"
        rf" (?:(?:do|does|did|will|would)_not|\w+n['’]t|never|no_longer|fail(?:s"
        rf"|ed)?_to)_{_GIVES}_(?:\w+_)?{_SHOULD_BE}"
    ),
    fault=(
        rf"{_CRASH}(?=\W*$|_\(core) segfault(?:s|ed) panics panicked crashed(?=\W*$|_(?:on|with|at|in|after|when"
        rf"|again|during|twice)\b) fatal_error(?=\W*$) died(?=\W*$|_(?:with|of|from|on|after|at)\b)"
        rf" killed_by {_PERSISTS} {_AGAIN} {_WANTED_AGAIN} (?:worth|deserves?|merits?)_(?:another|one_more"
        rf"|a_second|a_closer)"
        r" fails crashes hangs breaks(?!_down) lacks? lacked persists? complains? throws(?!_(?:a_|an_)?x_(?:if"
        r"|when)) leaks"
        r" contradicts? contradicted disagrees? mismatch(?:es)? regress(?:es|ed) timed_out times_out keeps_\w+ing"
        r" stalls? loops_forever"
        r" r[au]ns?_out_of (?:stopped|ended|exited|quit)_(?:\w+_){0,2}before"
        r" (?:bug|crash|error|issue|failure|problem)s?_(?:is|are|can_be|can_still_be)_(?:\w+ly_|still_)?reproduc\w+"
        rf" will_(?:follow|be_complete)(?!_the) will_be_{_DONE_VERB}(?=\W*$|_(?:later|soon|next|after|once|when|in_(?:a"
        r"|the)|then)\b) left_(?:for|to)_(?:a_|an_|the_)?(?:later|next|another|user|someone|reader|now)"
        r" (?:is|are|was|were|been)_(?:deferred|postponed)"
        r" time_out aborted aborts stuck overlooked forgot forgets ignores_(?:the|all)"
        r" skipped_(?:a|step|every|some|it|the"
        r"|all|two|three|one)"
        r" misses omits omitted neglect\w* misunderst\w+ (?:got|is|are|became|was|much|even)_(?:worse|slower)"
        r" dropped_(?:to|from|by|below)"
        r" too_(?:slow|little|few|big|large|short|vague|weak|much|many|fragile|complex|shallow|thin|late) a_(?:hack"
        r"|workaround|mess|toy|lie)"
        r" (?:responds?|answers?|fails?|returned|returns|gives?)_(?:with_)?(?:an?_)?5\d\d room_for_improvement"
        r" only_works only_partly"
        r" negative almost nearly_\w+ (?:i|we)_(?:expect|expected|want|need|miss|require|demand|insist|would_like"
        r"|am_missing|still_need)"
        r" wrong_\w+_(?:is|was|were|are|has|have) still_(?:get|gets|see|sees|shows?|uses|returns) opposite_of"
        r" instead_of_fixed has_no(?=_effect) incorrect\w* improper\w* mistaken"
        r" inaccurate"
        r" partially_\w+ partly_\w+ only_half_\w+"
        rf" (?:is|are|was|were|be|been|remains?|remain|still|left|stays?|seems?)_(?:\w+ly_|still_|completely_)?{_UN}"
        r" let['’]s_(?:keep|continue|go_on|fix|try) more_(?:tests|work|effort|evidence|changes|time)_(?:is|are"
        r"|needed) degrad\w+ deteriorat\w+"
        r" does(?:_not|n['’]t)_(?:even|actually)(?=_\w) useless worthless nonsense sloppy careless hallucinated"
        r" disappoint\w+ poor(?:ly)? weak"
        r" hollow faked? dishonest\w* (?:is|are|was|were)_(?:down|off|out_of_date|out_of_sync|gone_missing|lost"
        r"|corrupt\w*|wrongly_\w+|mis\w+ed)"
        r" (?:tests?|checks?|suite|suites|they|jobs?|ones?|cases?|specs?|assertions?|builds?|[1-9]\d*|two|three"
        r"|four|five|both"
        r"|some|several|many|all|ci|still|also|again|and|to|however,)_(?:still_|also_|now_|both_|all_)?(?:fail"
        r"|crash|hang|break)"
        r" failed(?=\W*$|_(?:in|on|with|at|because|for|again|and|when|after|the|this|once|twice)\b)"
        r" have_failed has_failed fail(?:s|ed)?_to fail(?=\W*$) failure(?=\W*$)"
        rf" (?:is|are|was|were|be|been|am|remains?|stays?|seems?|looks?|still|only|entirely|['’]s|['’]re)"
        rf"_(?:\w+ly_|still_|too_|far_too_|all_|also_|just_|clearly_)?{_FAULTY}(?!_(?:input|values?|uploads?))"
        rf" (?:work|task|this|that|it|result|stop|permission|approval|request|change|changes|pr|claim|verdict"
        rf"|conclusion"
        r"|status|decision|outcome|merge|it['’]s)\W{1,6}(?:(?:is|are|was|were)_)?(?:hereby_|therefore_)?(?:rejected"
        r"|refused"
        r"|denied|declined|withheld|fail(?:ed|ure)?|incomplete|unfinished|blocked|open)"
        rf" there(?:['’]s|_is|_are|_were|_was|_remains?)_(?:still_|also_|however_)?(?:\w+_){{0,3}}(?:{_THINGS}"
        rf"|more_to|left|to_do"
        r"|remaining|missing|failing|work_to)"
        rf" (?:i|we)_(?:also_|still_)?(?:found|see|have|noticed|spotted|count|counted"
        rf"|got)_(?:{_MANY}_)(?:\w+_){{0,2}}{_THINGS}"
        rf" (?:reports?|shows?|gives?|prints?|has|have|contains?|introduces?|introduced|leaves?|with)_(?:{_MANY}_)"
        rf"(?:\w+_){{0,2}}{_THINGS} has_(?:merge_)?conflicts exit(?:s|ed)?(?:_code|_status|_with)+_[1-9]\d*"
        rf" (?:{_MANY})_(?:\w+_){{0,2}}(?:slipped_in|was_introduced|were_introduced)"
        r" [1-9]\d*_(?:\w+_){0,2}(?:failed|failures?|errors?|failing)(?!_(?:attempts?|logins?|requests?|tries))"
        rf" remains?(?!_(?:green|unchanged|the_same|valid|skipped|stable|intact|in_place|as|compatible|untouched))"
        r" (?:is|are|still|work|much|lot|bit)_left left_to_(?:do|be) more_to_do still_to_do to_be_done yet_to_be"
        r" still_open"
        r" still_(?:there|there_is|wrong|red|missing|broken|has|have|needs?|fails?|crashes?|stale|unclear"
        r"|reproducible|present)"
        r" short_of far_from anything_but too_early too_soon premature unable_to unclear_(?:whether|if) in_progress"
        r" half_(?:of|done|finished|the) half-(?:done|finished) placeholder stubs? only_a_(?:stub|draft|part|start"
        r"|skeleton)"
        r" a_(?:draft|first_draft|start|skeleton|sketch|mock) only_(?:one|two|half|part|parts|some|partially|partly"
        r"|describ\w+"
        r"|pretend\w*|claim\w*|plann\w+|the_happy_path) merely pretends? (?:bug|error|problem"
        r"|issue)_is_back"
        r" instead_of_(?:doing|fixing|running|writing|implementing) unacceptable inadequate insufficient unusable"
        r" unfinished"
        r" withh[eo]ld\w* (?:i|we)_(?:must_|have_to_|therefore_|strongly_)?(?:object|disagree|refuse|decline|reject"
        r"|disapprove|doubt|hesitate|protest|veto|oppose) against_(?:stopping|approval|merging|it|this) veto"
        r" changes?_(?:requested|required|needed|necessary) request_changes needs?_(?:\w+_){0,2}(?:work|changes?"
        r"|fix\w*|tests?"
        r"|improvements?|attention|rework|update|rewrite|review|look|doing|to_be|another|more|human)"
        rf" {_WORK}_(?:still_|really_|also_|now_)?(?:must|should|has_to|have_to|needs?_to|ought_to|had_better"
        rf"|is_to)(?:_be_{_DONE_VERB})?"
        rf" (?:must|should|needs?_to|has_to|have_to|still_to|ought_to)_(?!not|never)(?:\w+_)?be_{_DONE_VERB}"
        r" (?:is|are|be|more|further|work|fix|fixes|rework|improvements?|tests?|run)_(?:still_|also_)?(?:needed"
        r"|required"
        r"|necessary) must_(?:go_on|continue|keep) more_work reasons?_to_continue need_to_continue"
        r" (?:the|that|this|its|agent['’]s)_(?:claim|statement|summary|report|assertion|output|conclusion)\b.{0,60}"
        r"\b(?:untrue|false|wrong|misleading|contradicted|incorrect|made_up|unfounded)(?!_positive)"
        r" lied invented_the made_up fabricat\w+ unfounded cheat\w* stopped_(?:in_the_middle|early|too|half\w*"
        r"|before|short)"
        r" gave_up(?!_after) left_(?:out|open|undone|unfinished|the_other\w*|the_rest|half|behind) reverted_the"
        r" skipped_(?:the|it"
        r"|two|three|all) (?:was|were|been)_(?:skipped|forgotten|ignored|left_out|dropped|missed) slipped_in"
        r" unfortunately sadly"
        r" i['’]m_afraid nowhere_near keep_(?:going|working|at_it|on|trying) go_on(?=\W*$) carry_on back_to_(?:work"
        r"|the) try_again"
        r" continue(?=\W*$|_(?:with|working|until|the|by|to|on|and)\b) going_on send_(?:it|this)_back start_over"
        r" once_more_please"
        r" nope (?:do|does|did|is|are|was|were|has|have)(?:_not|n['’]t)(?=\W*$) fail:? raises?_NotImplementedError"
        r" have_(?:my_)?doubts (?:doubt|question)_(?:it|that|whether|this) dubious"
        r" returns?_(?:a_|an_)?(?:500|404_instead)"
        rf" wrong_to_stop stopping_(?:now_|here_)?would mistake_to_stop"
    ),
    hint=(
        r"fail\w* errors? bugs? problems? issues? missing broken incomplete unfinished defects? wrong crash\w*"
        r" todos?(?!_(?:os|as|los|las|est\w+|lo|el|o)\b) remaining"
        r" outstanding blocked blockers? blocking reject\w* refus\w* denied open(?=_(?:points?|issues?|questions?"
        r"|items?|tasks?"
        r"|work)) next_steps? to_do pending unresolved unmet violat\w+ would could might should must if unless"
        r" until example"
        r" sample supposed claims claimed pretend\w* alleged\w* doubts? changes_required required_changes"
        r" leftovers? weakened"
        r" disabled removed forgotten skipped_tests reservations? objections? exceptions? complaints? loose_ends?"
        r" regressions?"
        r" failures? faults? gaps? concerns? warnings? broke needed necessary reasons? conflicts? omissions? undone"
    ),
    none=r"no none nothing neither without zero 0(?=_\w) not_a_single not_one not_any free_of hardly_any",
    negated=r"not never cannot nobody no_one \w+n['’]t hardly barely",
    good=(
        rf"{_NOT_DONE} a_fix done complete(?:d|ly)? finish(?:ed|es)? fulfilled ready satisf(?:y|ies|ied|actory) met"
        rf" meets? good_enough"
        r" acceptable"
        r" accepted accept(?=_(?:this|it|that)\b|\W*$) approv(?:e|ed|al) pass(?:es|ed|ing)? succeed(?:s|ed)?"
        r" successful works worked (?<=not_)work (?<=t_)work"
        r" run ran runs written implemented update[sd]? verif(?:y|ied) tested covered committed pushed merged"
        r" deployed built"
        r" build builds compiles? loads? starts? started exists? convinced confirm(?:ed)? allow(?:ed)?(?=_(?:the|a"
        r"|this|it|to|me"
        r"|stop\w*)\b|\W*$) permit(?:ted)? stop(?:s|ping)? evidence proof sign there(?=\W*$|_yet) right correct"
        r" true enough"
        r" addressed included provided delivered migrated documented fixed resolved solved mended repaired happy"
        r" pleased agree"
        r" reproduce deserve sufficient appropriate merge release yet quite fully sign_off (?<=no_)(?:tests|docs"
        r"|code|test|documentation|changelog|output) green solve"
        r" meaningful justified warranted respond responds render renders match(?:es)? connect handled trust"
        r" believe satisfactory"
        r" looked nor is\W*$ do\W*$ be\W*$ proper(?:ly)? usable applied used installed respected followed wired"
        r" registered answered honou?red reachable available what_was supported called integrated complied"
        r" considered (?:solve|address|cover|handle|reflect|respect|follow)(?:s|ed)? (?:say|write|print"
        r"|claim)(?=_(?:it|this|that|so)\b"
        r"|\W*$)"
    ),
)
GERMAN = Words(
    idle=r"nicht_nur fehlerbehandlung fehlermeldung\w* noch_einmal",
    mended=(
        r"behoben repariert gelöst korrigiert erledigt nicht_mehr wie_(?:verlangt|gewünscht|gefordert|vorgesehen"
        r"|erwartet"
        r"|spezifiziert) absichtlich zuerst anfangs vorher früher zunächst jetzt_\w+ nun_\w+ fehlerhafte_\w+_werden"
    ),
    denied=(
        r"(?:kann|kannst|können|könnte|konnten?|lässt_sich|lassen_sich|ließ_sich"
        r"|ließen_sich)_(?:\w+_){0,4}nicht_(?:\w+_){0,3}(?:über)?"
        r"(?:prüfen|prüft|geprüft|verifizier(?:en|t)|bestätig(?:en|t)|sagen|feststellen|beurteil(?:en|t)"
        r"|nachvollziehen|nachprüfen"
        r"|ausschließen|nachweisen|belegen|garantieren|wissen) nicht_sicher(?=\W*$) ungewiss fraglich"
        r" unmöglich(?:_zu)?_(?:prüfen|sagen|bestätigen|beurteilen)"
    ),
    fault=(
        r"absturz(?=\W*$) (?:weitere|noch_eine|zusätzliche|neue)_(?:runde|iteration|überarbeitung|prüfung)"
        r" weiterer_durchgang"
        r" speicherzugriffsfehler angebracht ratsam geboten vonnöten"
        r" stimmt_nicht persistiert besteht_(?:weiter\w*|noch) (?:nur_)?teilweise_\w+ nachgebessert schlechter"
        r" langsamer vergessen übersehen ignoriert widerspricht fast beinahe bestehen_noch verbesserungsbedarf"
        r" zurück_an fehl fehlt fehlen fehlgeschlagen scheiter\w+ kaputt rot unvollständig unfertig unbrauchbar"
        r" unzureichend"
        r" offen falsch"
        r" abgelehnt zurückgewiesen durchgefallen mangelhaft ungenügend lehne weiterarbeiten weitermachen"
        r" weiter(?=\W*$) muss"
        r" müssen soll(?:te)? bitte übrig ablehnen verweigere? stürzt hängt bricht gibt_(?:es_)?noch noch_offen\w*"
        r" offene[nrs]?"
        r" bleibt bleiben_noch leider unklar teilweise halb nachbessern nacharbeit nachbesserung(?:en)? nötig"
        r" erforderlich"
        r" auszusetzen beanstanden beanstandungen einwände?n? ergänzen"
    ),
    hint=(
        r"fehler problem\w* mängel wenn falls sobald sofern erst würde könnte beispiel\w* muster ausstehend\w*"
        r" folgende_zeile"
        r" aufgaben"
    ),
    none=r"kein\w* nichts niemand weder ohne null",
    negated=r"nicht nie niemals nein",
    good=(
        r"fertig abgeschlossen erledigt vollständig bereit bestanden durch laufen läuft grün gut ausreichend reicht"
        r" akzeptabel"
        r" freigegeben freigeben genehmigt zugestimmt behoben gelöst repariert umgesetzt implementiert geschrieben"
        r" getestet geprüft"
        r" aktualisiert ausgeführt aufhören stoppen anhalten zufrieden erfüllt funktioniert funktionieren baut"
        r" startet kompiliert"
        r" korrekt richtig sagen schreiben bestätigen geben ausgeben behaupten so(?=_nicht) noch belegt überzeugt"
        r" bewiesen"
        r" nachgewiesen erreicht stimmt passt korrekt abgenommen akzeptiert"
    ),
)
FRENCH = Words(
    idle=r"pas_seulement non_seulement non-\w+",
    mended=(
        r"corrigée?s? résolue?s? réparée?s? comme_(?:demandé|prévu|spécifié|souhaité) d['’]abord auparavant avant_la"
        r" maintenant désormais n['’]\w+_plus ne_\w+_plus volontairement exprès"
    ),
    denied=(
        r"(?:(?:ne_|n['’])(?!\w+_(?:pas_)?besoin)(?:\w+_){1,4}(?:de_|d['’]|à_)?|impossible_(?:de_"
        r"|d['’])(?:\w+_)?)(?:vérifier|confirmer|savoir"
        r"|dire|garantir|valider|affirmer|prouver|déterminer|exclure|contrôler|juger) (?:pas|peu)_(?:sûre?"
        r"|certaine?)_(?:que|si)"
    ),
    fault=(
        r"plantage(?=\W*$|_immédiat) (?:autre|nouvelle?|deuxième)_(?:passe|passage|tour|itération|relecture|revue)"
        r" (?:passe|passage|tour|itération|relecture)_supplémentaire erreur_de_segmentation s['’]imposent?"
        r" souhaitables? de_mise"
        r" persistent? partiellement_\w+ presque oublié\w* plus_lent\w* à_(?:corriger|revoir|refaire) revoir"
        r" échoue(?:nt)? échoué(?:e|s)? échec manque(?:nt)? incomplets? incomplètes? inachevée?s? cassée?s? refusée?s?"
        r" rejetée?s? refuse"
        r" rejette veuillez il_faut faudrait doit doivent devrait reste(?:nt)? insuffisante?s? inacceptable\w*"
        r" rouges? poursuivre"
        r" continuez corrigez ajoutez relancez plante(?:nt)? malheureusement à_faire absente?s? fausse?s?"
        r" encore_(?:des|un|une|deux"
        r"|à) nécessaires? redire objections? erronée?s? en_cours"
    ),
    hint=r"erreurs? problèmes? défauts? bogues? quand lorsque dès_que exemple serait pourrait restante?s? qu['’]un",
    none=r"aucune? rien sans personne ni",
    negated=r"pas jamais non",
    good=(
        r"terminée?s? finie?s? achevée?s? complète?s? prête?s? acceptables? acceptée?s? approuv\w+ pass(?:e|ent"
        r"|ée?s?|eront) réuss\w+ vertes? bonn?e?"
        r" correcte?s? satisf\w+ s['’]arrêter arrêter suffi\w* fonctionn\w+ fait\w* mise?s? écrite?s? testée?s?"
        r" vérifiée?s?"
        r" exécutée?s? implémentée?s? conforme\w* valid\w+ marche(?:nt)? encore dire écrire confirmer prouv\w+"
        r" rempli\w*"
        r" démarr\w+ compil\w+"
        r" corrigée?s? résolue?s?"
    ),
)
SPANISH = Words(
    idle=r"no_s[óo]lo no_solamente",
    mended=(
        r"corregid[oa]s? resuelt[oa]s? arreglad[oa]s? solucionad[oa]s? como_se_(?:pidió|esperaba|pide|especificó)"
        r" ya_no antes ahora"
        r" al_principio a_propósito fue_\w+gid[oa]"
    ),
    denied=(
        r"(?:no_(?:(?:se|me|nos|le|lo|ha|he|hemos|fue|es|era|pude|pudo|pued\w+|podemos|pod\w+|logr\w+|consig\w+"
        r"|posible|sido)_){1,3}"
        r"|imposible_|no_hay_(?:forma|manera|modo)_de_)(?:\w+_)?(?:verificar|comprobar|confirmar|saber|asegurar"
        r"|garantizar|validar"
        r"|descartar|determinar|afirmar|decir)(?:lo|la|se)? no_(?:sé|sabemos|se_sabe)_(?:si|que)"
    ),
    fault=(
        r"(?:otr[oa]|nuev[oa])_(?:pasada|ronda|vuelta|iteración|revisión)"
        r" (?:fallo|violación)_de_segment(?:ación|o) se_impone conviene aconsejable se_requiere[n]? hace_falta"
        r" persisten? parcialmente_\w+ casi olvid\w+ más_lent[oa]s? se_rompe[n]? rompen? fallan?(?!do) falló"
        r" fallaron falta(?:n|ba)? incomplet[oa]s? rot[oa]s? rechaz\w+ hay_que debe(?:n"
        r"|ría)?(?=_\w+[aei]r\b)"
        r" quedan? pendientes? insuficientes? inaceptables? por_favor corrige corrija arregla sigue_(?:fallando|sin"
        r"|roto) continúa"
        r" continúe lamentablemente desgraciadamente por_hacer por_corregir en_rojo inacabad[oa]s? sin_terminar"
        r" necesita(?:n|mos)?"
        r" es_necesario incorrect[oa]s? objeciones objeción en_curso"
    ),
    hint=r"errores error fallos? fallas? problemas? defectos? cuando en_cuanto ejemplo solo_un sería podría una_vez",
    none=r"ning[uú]n[oa]? nada sin nadie tampoco",
    negated=r"no nunca jamás",
    good=(
        r"terminad[oa]s? completad[oa]s? complet[oa]s? list[oa]s? hech[oa]s? acabad[oa]s? pasan? pasaron pasado"
        r" aceptables?"
        r" aceptad[oa]s? aprob\w+ aprueb\w+ apruebo parar detener(?:se)? funcionan? compilan? cumplen?"
        r" cumplid[oa]s? suficientes?"
        r" correct[oa]s? satisf\w+ actualizad[oa]s? ejecut\w+ probad[oa]s? verificad[oa]s? escrit[oa]s?"
        r" implementad[oa]s? está_bien"
        r" confirmar decir escribir dar todavía aún está(?=\W*$) resuelt[oa]s? corregid[oa]s?"
    ),
)
PORTUGUESE = Words(
    idle=r"não_só não_apenas",
    mended=(
        r"corrigid[oa]s? resolvid[oa]s? consertad[oa]s? como_(?:pedido|esperado|especificado) já_não antes agora"
        r" de_propósito"
    ),
    denied=(
        r"(?:não_(?:(?:se|me|foi|é|era|consig\w+|consegu\w+|posso|pode\w*|pude|pôde|possível|dá|para|há|como"
        r"|temos)_){1,3}|impossível_)"
        r"(?:\w+_)?(?:verificar|comprovar|confirmar|saber|assegurar|garantir|validar|descartar|determinar|afirmar"
        r"|dizer)"
        r" não_(?:sei|sabemos|se_sabe)_se"
    ),
    fault=(
        r"(?:outr[oa]|mais_uma?|nov[oa])_(?:passagem|rodada|volta|iteração|revisão) falha_de_segmentação convém"
        r" recomendável impõe-se"
        r" persistem? parcialmente_\w+ quase esquec\w+ trava[m]? falham? falhou falharam faltam? incomplet[oa]s?"
        r" quebrad[oa]s?"
        r" rejeit\w+ reprovad[oa]s? precisam?_\w+"
        r" deve(?:m|ria)?(?=_\w+r\b)"
        r" restam? pendentes? insuficientes? inaceitáve(?:l|is) corrija continue_\w+ infelizmente ainda_(?:há"
        r"|faltam?|existem?|tem)"
        r" é_preciso é_necessário por_favor por_fazer inacabad[oa]s? recus\w+ incorret[oa]s? objeções em_andamento"
    ),
    hint=r"erros? problemas? defeitos? quando assim_que exemplo seria poderia",
    none=r"nenhuma? nada sem ninguém",
    negated=r"não nunca",
    good=(
        r"terminad[oa]s? concluíd[oa]s? complet[oa]s? pront[oa]s? feit[oa]s? passam? passou passaram aceitáve(?:l"
        r"|is) aceit[oa]s?"
        r" aprov\w+ parar funcionam? compilam? cumprid[oa]s? suficientes? corret[oa]s? atualizad[oa]s?"
        r" executad[oa]s? testad[oa]s?"
        r" verificad[oa]s? escrit[oa]s? implementad[oa]s? bom boa ainda dizer escrever confirmar está(?=\W*$)"
        r" resolvid[oa]s?"
    ),
)
ITALIAN = Words(
    idle=r"non_solo",
    mended=(
        r"corrett[oaie] risolt[oaie] sistemat[oaie] come_(?:richiesto|previsto|specificato) non_\w+_più prima_\w+"
        r" ora_\w+ apposta"
    ),
    denied=(
        r"(?:non_(?:(?:si|è|ho|mi|sono|stato|posso|può|possiamo|potuto|possibile|riesc\w+|riuscit[oaie]|a|c['’]è"
        r"|modo|di)_){1,4}|impossibile_)"
        r"(?:\w+_)?(?:verificare|confermare|sapere|dire|garantire|validare|escludere|stabilire|controllare"
        r"|affermare) non_(?:so|sappiamo)_se"
    ),
    fault=(
        r"(?:altr[oa]|nuov[oa])_(?:passaggio|giro|iterazione|revisione|passata|round) errore_di_segmentazione"
        r" opportun[oa] consigliabile occorr(?:e|ono) serv(?:e|ono)_(?:ancora|un_altr\w+"
        r"|altr\w+)"
        r" persist(?:e|ono) parzialmente_\w+ quasi dimenticat[oaie] si_blocca(?:no)? fallisc(?:e|ono) fallit[oaie]"
        r" manca(?:no)?"
        r" incomplet[oai] rott[oaie] respint[oaie] rifiut\w+"
        r" bocciat[oaie] deve devono"
        r" dovrebbe bisogna restano rimangono insufficient[ei] inaccettabil[ei] purtroppo ancora_(?:errori|problemi"
        r"|da|in|un\w*)"
        r" da_fare si_prega per_favore continu(?:a|i|are)(?=\W*$) necessari[oaie] sbagliat[oaie] obiezioni in_corso"
        r" incompiut[oaie]"
    ),
    hint=r"error[ei] problem[ai] difett[oi] quando appena esempio sarebbe potrebbe",
    none=r"nessun[oa]? nulla niente senza",
    negated=r"non mai",
    good=(
        r"completat[oaie] complet[oaie] finit[oaie] terminat[oaie] pront[oaie] passa(?:no)? superat[oaie]"
        r" accettabil[ei]"
        r" accettat[oaie] approv\w+ ferma\w* funziona(?:no)? compila(?:no)? sufficient[ei] corrett[oaie]"
        r" aggiornat[oaie] eseguit[oaie]"
        r" testat[oaie] verificat[oaie] scritt[oaie] implementat[oaie] soddisf\w+ ancora dire scrivere basta conforme"
    ),
)
DUTCH = Words(
    idle=r"niet_alleen foutafhandeling foutmelding\w*",
    mended=(
        r"opgelost hersteld verholpen gerepareerd zoals_(?:gevraagd|verwacht|gespecificeerd|bedoeld) niet_meer"
        r" eerst eerder nu_\w+ expres"
    ),
    denied=(
        r"(?:kan|kon|kunnen|konden)_(?:\w+_){0,4}niet_(?:\w+_){0,2}(?:controleren|gecontroleerd|verifiëren"
        r"|bevestigen|bevestigd|zeggen|nagaan"
        r"|vaststellen|beoordelen|uitsluiten|garanderen|weten) (?:onduidelijk|onbekend|onzeker)_of"
        r" onmogelijk_(?:te_|om_te_)?(?:controleren"
        r"|bevestigen|zeggen)"
    ),
    fault=(
        r"(?:nog_een|extra|nieuwe)_(?:ronde|iteratie|slag) segmentatiefout wenselijk raadzaam aan_te_raden"
        r" blijft_\w+ gedeeltelijk bijna vergeten trager loopt_vast lopen_vast fa(?:alt|len) mislukt\w* ontbre(?:ekt"
        r"|ken) onvolledige?"
        r" kapotte? rood afgekeurd afgewezen geweigerd"
        r" onvoldoende"
        r" onacceptabel moet(?:en)? graag(?=_\w+en) alstublieft resteert resteren er_(?:is|zijn)_nog helaas onaf"
        r" doorgaan verdergaan"
        r" nog_(?:te|fouten|niet|open\w*|een) nodig bezwa(?:ar|ren) weiger onjuist gezakt"
    ),
    hint=r"fouten fout problemen probleem gebreken als_\w+ zodra wanneer voorbeeld zou resterende?",
    none=r"geen niets niemand zonder",
    negated=r"niet nooit nee",
    good=(
        r"klaar af voltooid afgerond compleet volledig gereed slagen slaagt geslaagd goed goedgekeurd goedkeuren"
        r" acceptabel stoppen"
        r" werkt werken groen genoeg voldoende correct juist bijgewerkt uitgevoerd getest geschreven"
        r" geïmplementeerd tevreden bouwt"
        r" gevonden_bewijs bewijs opgelost hersteld gehaald voldaan"
    ),
)
RUSSIAN = Words(
    idle=r"не_только",
    mended=(
        r"исправлен\w* устранен\w* устранён\w* решен\w* решён\w* как_(?:требовалось|требуется|ожидалось|указано"
        r"|просили)"
        r" больше_не раньше сначала теперь ранее"
    ),
    denied=(
        r"(?:не_(?:могу|может|можем|могли|удалось|удаётся|удается|смог\w*|получилось|представляется_возможным)"
        r"|невозможно|нельзя"
        r"|нет_возможности)_(?:\w+_){0,2}(?:проверить|подтвердить|убедиться|сказать|определить|гарантировать"
        r"|исключить|установить|понять"
        r"|утверждать) неизвестно непонятно неясно"
    ),
    fault=(
        r"ещ[её]_(?:один_(?:проход|раунд)|одна_итерация) ошибка_сегментации требу(?:ется|ются) желательно"
        r" частично почти забыл\w* хуже сохраняется не_исправлен\w* завис\w+ падают падает упал\w* провал\w+"
        r" отсутству\w+"
        r" неполн\w+ сломан\w* отклонен\w* отклонён\w* отказ\w* нужно"
        r" надо необходим\w*"
        r" должен должна должны следует остал\w+ остаётся остается остаются недостаточн\w+ неприемлем\w+ пожалуйста"
        r" исправьте исправь"
        r" добавьте допишите запустите продолж\w+ незаверш\w+ недоделан\w* не_хватает нехватает не_готово"
        r" к_сожалению ещё_не еще_не"
        r" неверн\w+ красн\w+ возражени\w+ замечани\w+ претензи\w+ в_процессе доработ\w+"
    ),
    hint=r"ошиб\w+ проблем\w* дефект\w* если когда пока пример\w* бы",
    none=r"нет без ничего никаких ни",
    negated=r"не нельзя никогда",
    good=(
        r"выполнен\w* завершен\w* завершён\w* закончен\w* готов\w* пройден\w* проход\w+ прошл\w+ прошел прошёл"
        r" принят\w* одобр\w+ работа(?:ет|ют)"
        r" останов\w+ достаточно соответству\w+ обновлен\w* обновлён\w* запущен\w* запуска\w+ проверен\w*"
        r" написан\w* реализован\w* удовлетвор\w+"
        r" собира\w+ могу подтвержд\w+ исправлен\w* устранен\w* решен\w*"
    ),
)
CHINESE = Words(
    idle=(
        r"不错 不錯 不仅 不僅 不但 不只 不光 无误 無誤 无可挑剔 無可挑剔 无论 無論 差不多 没什么 沒什麼 非常 未来"
        r" 未來 分别 分別 特别 特別 级别 識別 识别"
        r" 区别 判别 类别 是否 能否 可否 与否 別的 别的 别人 (?:无需|無需|无须|無須|不必|不用|不需要?|毋须|没必要"
        r"|沒必要"
        r"|不再需要)[^，。；,;]* 没有?什么 沒有?什麼 需求 请求 請求 申请 错误处理 錯誤處理 错误信息 错误提示"
        r" 错误码 部分别 异步 无关 继续保持 先前 先后 不断 无状态 无缝 不可变 是否存在 未登录 未授权 未知 不存在时"
        r" 为空时"
    ),
    mended=(
        r"已经?(?:被|全部|都|得到|成功|有测试)?(?:修|解决|解決|补|補|处理|處理|改|恢复|恢復|更正|覆盖|覆蓋|清除"
        r"|移除|关闭|消除|排除|实现|實現|写|有|通过|通過|完成"
        r"|更新|添加|加上|落实|确认|验证|全绿)\w? 现在\w{0,3}(?:通过|正常|可以|都) 现已 修复后 修改后 修正后"
        r" (?:修复|修好|解决|修正|处理|补上|补齐|添加|消除|修復|解決|處理|補上)了"
        r" 符合(?:预期|要求|设计|规格|需求) 如预期 预期行为 按(?:要求|设计)"
        r" 不再 之前 原来 原先 此前 上次 第一次 起初 最初 曾 得到(?:修复|解决) 再也 用户(?:没有?|未)?要求 故意 有意"
    ),
    denied=(
        r"(?:无法|無法|不能|[没沒][有办辦]*法|不可能|[难難]以|未能)[^，。；,;]{0,6}(?:[验驗][证證]|[确確][认認定]"
        r"|判[断斷]|核[实實]|[证證][实實明]"
        r"|保[证證]|[检檢][验驗查]|得知|知道|排除)(?!的) (?:不[确確]定|不清楚|不知道|[说說拿]不准)(?!的|性)"
    ),
    fault=(
        r"段[错錯][误誤] 核心已[转轉][储儲] [内內]存溢出 有必要(?:再|[进進]一步|[继繼][续續]|[补補]|重)"
        r" 失[败敗](?!的|后|时|次|情况|场景|重试|路径|原因) 报错 報錯 缺少 缺失 缺(?![陷点點]) 欠缺 [遗遺]漏 漏(?:了"
        r"|掉|写) 挂了 崩[溃潰] 卡住 打回 [驳駁]回 拒[绝絕](?!的|了?所有)"
        r" 返工 稍[后後] [后後][续續]再 不足 不[达達][标標] 不合格 仍(?:然|旧|舊)? 依然 依旧 依舊"
        r" [还還](?:有|没|沒|差|需|不|缺|在|要|得|未"
        r"|留|剩|无法|是没) 有待 待[办辦] 待(?:完成|修|处理|解决|补)"
        r" 剩余 剩下 剩餘 [遗遺]留 尚未 尚有 尚需 [只仅僅](?:完成|写|做|实现|有一|是个?(?:草稿|占位|空壳|示例|例子"
        r"|格式)) 一半 部分完成 进行中 進行中 残留 占位"
        r" (?:存在|有|发现|發現)(?:了)?[\d一二两兩三四五六七八九十几幾多些个個处處项項条條严嚴重明显]*"
        r"(?:的)?(?:问题|問題|错误|錯誤|缺陷|漏洞|bug|BUG|隐患|疏漏)"
        r" 需要?(?:再|先|进一步|进一步地|重新|繼續|继续|修|补|補|完善|改|返|添加|增加|实现|運行|运行|处理|解决"
        r"|人工) [请請](?:[你您]|先|再|立即|尽快|务必|重新|继续|繼續|修|补|補|添|完|运|運|检|"
        r"檢|提供|实现|實現|更|确|把|将|不要) 必[须須](?:先|再|重新|继续|繼續|修|补|補|完|运|運|把|实现|处理|解决)"
        r" 应该?(?:当)?(?:先|再|继续|修|补|重新|把|完) 應該?(?:先|再|繼續|修|補|重新)"
        r" 继续 繼續 建[议議] 重新 再(?:运行|運行|跑|试|試|检查|改|修) 先(?:别|不|把|修|补|补齐|完成|运行)"
        r" 为时[过尚]早 問題依[旧舊] 半成品 未完 假的 虚假 编造 谎 不实 有误 有問題 有问题 打折扣 言过其实 没戏"
        r" 太早 错了"
        r" 达不到 暂[缓缓] 否决 否決 异议 異議 毛病 瑕疵 下降 变慢 变差 退化 劣化 忘[记了] 忽略 跳过了 敷衍 半途"
        r" 中断 超时 超時 异常退出 冲突 矛盾 搞错 弄错 差一点 几乎"
    ),
    hint=(
        r"问题 問題 错误 錯誤 缺陷 bug 如果 假如 假设 倘若 要是 一旦 只有 除非 才(?:能|会|可|會) 之后 以后 届时"
        r" 示例 例子 样例 范例 格式 等(?=.{1,12}(?:后|再|才|就)) 若(?!干) 可惜 但是?"
        r" 不过 然而 警告 异常 異常 风险 隐患 不完善 声称 自称"
    ),
    none=(
        r"没有任何 没有 沒有 没(?!有) 沒(?!有) 无(?!法) 無(?!法) 零(?=个|失) 0\s*个 0\s*個 不存在 未发现 未發現 无一"
    ),
    negated=r"不(?!足|合格|达标|存在) 未(?!发现|發現|完) 别 勿 非 无法 無法 否(?!则) 莫",
    good=(
        r"完成 通过 通過 达标 達標 达到 達到 合格 做完 写完 写好 结束 結束 成功 实现 實現 更新 运行 運行 执行 執行"
        r" 验证 驗證 解决 解決 修复 修復 修好 修正 批准 允许 允許 准许 准 同意 认可 認可"
        r" 认同 满意 滿意 得到了? 解答 回答 满足 体现 落实 遵守 恢复 支持 可以 能 停止 停 行 够 足够 符合 满足 滿足"
        r" 提交 合并 证据 證據 看到 提供 过(?!程|滤|期|去"
        r"|后) 写 完整 完善 齐全 放行 给出 补上 补齐 处理 正常 生效 失效 编译 构建 测试 正确 该 说 写 算 认为 接受"
        r" 予 宜 测 做 覆盖 到位 理想 严谨 可靠 属实 对(?![应于象比方]) 按照?要求"
    ),
)
JAPANESE = Words(
    idle=(
        r"だけでなく 問題なし 構いません 構わない かまいません 間違いありません 間違いない エラー処理"
        r" エラーメッセージ 必要はありません 必要はない 必要ありません すべて"
    ),
    mended=(
        r"修正され 修正済 修正しました 解決され 解決しました 解決済 直りました 直っ(?:た|て) 仕様(?:どおり|通り)"
        r" 期待(?:どおり|通り) 以前 最初は 当初 なくなり"
    ),
    fault=(
        r"失敗 不足 未完 未実装 未対応 未解決 未修正 未テスト まだ(?:.{0,24}(?:ません|ない))? 残って 残る 残り"
        r" 残課題 却下 不合格 拒否 必要(?:です|が|だ|があ) てください て下さい 続け やり直 漏れ 欠け 壊れ 落ち(?:て"
        r"|る|た) クラッシュ 不十分 不完全"
        r" なければなりません べき(?:です|だ) 間違って 誤り(?:が|です) 早すぎ 途中 中途半端 いけません だめ ダメ"
        r" 問題が(?:あ|残|見つかり(?!ません)) エラーが(?:あ|出|残|発生) バグが(?:あ|残|見つかり(?!ません)) 懸念"
        r" 課題が"
    ),
    hint=r"問題 エラー バグ 不具合 もし たら なら れば 例(?:です|として) サンプル 指摘 課題 見本",
    none=(
        r"ありません ございません なし(?!に) 見つかりません 見当たりません 見られません 皆無 ゼロ がない はない"
        r" もない"
    ),
    negated=r"ません ない(?!し) なかった ず(?=に|、|。|$) 不可",
    good=(
        r"完了 完成 終了 終わ 通っ 通ら 通り 通過 成功 合格 承認 認め 実装 更新 実行 確認 検証 解決 修正 満た 動き"
        r" 動作 動か 言え 書け 出せ 言い 書き 出し 止ま 停止 十分 でき 達し 良く 正し ビルド 存在 見え 足り 許可 書かれ"
        r" 行われ され して"
    ),
)
KOREAN = Words(
    idle=r"뿐만 문제없 이상없 필요가_없 필요_없 오류_처리 오류_메시지",
    mended=(
        r"수정되었 수정했 수정됨 해결되었 해결됐 해결했 고쳐졌 고쳤 더_이상 이전에 처음에 예상대로 요청대로 사양대로"
    ),
    fault=(
        r"실패 부족 미완 미구현 미해결 아직(?:.{0,24}(?:않|못|없))? 남아 남은 남았 거부 반려 불합격 필요(?:합|해"
        r"|하) 하세요 해주세요 해_주세요 십시오 계속 다시 누락 깨[졌진짐] 불충분 불완전 해야 오류가_(?:있|발생|남)"
        r" 문제가_(?:있|남|발견되었) 버그가_(?:있|남) 빠졌"
        r" 빠져 안_(?:됩|돼|되) 진행_중 멈추지_마"
    ),
    hint=r"오류 문제 버그 결함 면_ 경고 경우 예시 예제 수정할 지적",
    none=r"없습니다 없음 없다 없어요 없이 없고",
    negated=r"않 못 지_마 아니 안_ (?:할|될|볼|킬|인할|승인할)_수_없",
    good=(
        r"완료 완성 끝 통과 성공 승인 구현 업데이트 실행 확인 검증 해결 수정 충족 작동 동작 멈 중지 충분 됩니다"
        r" 되었 문서 테스트 빌드 허용 정확 올바 만족 수_없"
    ),
)

SPACED = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, RUSSIAN)
JOINED = (CHINESE, JAPANESE, KOREAN)
KINDS = Words.__struct_fields__


def alternatives(language: Words, kind: str) -> list[str]:
    """The entries of one kind, as pieces of regular expressions."""
    return [entry.replace("_", r"[\s]") for entry in getattr(language, kind).split()]
